import { events } from '../events/catalogue.ts';
import { TrotlineError } from '../events/errors.ts';
import { notices } from '../events/notices/catalogue.ts';
import {
  createKernel,
  type EventRules,
  freezeCopy,
  type Kernel,
  type Origin,
  type Report,
  type TraceEntry,
} from '../kernel/index.ts';
import { createActivity } from './activity.ts';
import { type Core, findEvent, hostOrigin, messageOf } from './core.ts';
import { clockOps, createState } from './dollar/defaults.ts';
import { createDollar } from './dollar/make.ts';
import { createTimers } from './dollar/timers.ts';
import { createExplain } from './explain.ts';
import { createHealth, linkInfo } from './links.ts';
import { createModel } from './model/pipeline.ts';
import { createObservers } from './observers.ts';
import { createRaise } from './raise.ts';
import { createOwner, createRegistrar, program } from './registrar.ts';
import { createServed } from './served.ts';
import { createStream } from './stream.ts';
import { createTool } from './tool/pipeline.ts';
import type { Capabilities, Engine, EngineOptions, ToolAnswer, ToolCall, ToolRun } from './types.ts';

const GRACE_MS = 5_000;

/**
 * Makes an engine: one line that hooks are seated on, between an agent and the world.
 *
 * @example
 * ```ts
 * const line = createEngine();
 * line.on('tool.call', { tool: 'Bash' }, ($, e, next) => (/rm -rf/.test(e.command) ? { deny: 'not here' } : next(e)));
 * const out = await line.tool({ tool: 'Bash', input: { command } }, ({ input, signal }) => sh(input.command, signal));
 * console.log(out.deny ?? out.text);
 * ```
 *
 * `test/examples/tenLines.test.ts` runs it.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const roots = new Map<string, string>();
  const state = createState();
  const served = createServed({ ...clockOps, ...state.ops });
  served.serve(options.ops ?? {});
  const activity = createActivity();
  const health = createHealth();
  const raised = new Set<string>();
  const traced = new WeakMap<Origin, (trace: () => readonly TraceEntry[]) => void>();

  const notice = (name: string, data: Readonly<Record<string, unknown>>): void => {
    if (!Object.hasOwn(notices, name))
      throw new TrotlineError('engine.no-notice', { what: `"${name}" is not a notice` });
    if (!observers.wants(name)) return;
    observers.tell(name, { kind: 'notice', notice: Object.freeze({ name, at: Date.now(), data: freezeCopy(data) }) });
  };
  const observers = createObservers((error, failures) => {
    notice('observer.failed', { message: messageOf(error), failures });
  });
  const onReport = (report: Report): void => {
    const { code, event, link, message, failure } = report;
    if (failure !== undefined) health.report(report);
    const hook = { owner: link.owner.name, event, ...(link.name === undefined ? {} : { hook: link.name }) };
    notice(failure === undefined ? 'hook.late' : 'hook.failed', {
      ...hook,
      code,
      message,
      ...(failure === undefined ? {} : { class: failure.class, onFailure: link.onFailure ?? 'open' }),
    });
  };

  const core: Core = {
    get kernel(): Kernel {
      return kernel;
    },
    options,
    served,
    observers,
    activity,
    raised,
    dispatch: (rules, { onSettled, ...input }) => {
      raised.add(rules.name);
      // The origin is this dispatch's own object, so that its trace can be told from others'.
      const origin = onSettled === undefined ? (input.origin ?? hostOrigin) : { ...(input.origin ?? hostOrigin) };
      if (onSettled !== undefined) traced.set(origin, onSettled);
      return kernel.dispatch(rules, { ...input, origin });
    },
    notice,
    hooked: (event) => kernel.links(event).length > 0,
    envelope: (event) => ({ ...options.envelope?.(), hook_event_name: event.slice(event.indexOf('.') + 1) }),
  };
  const runTool = createTool(core);
  const timers = createTimers(() => core);
  const kernel = createKernel({
    dollar: createDollar(
      () => core,
      runTool,
      timers,
      (owner) => roots.get(owner) ?? '',
    ),
    rules: (event) => findEvent(event, served) as EventRules | undefined,
    onSettled: (event, trace, origin) => {
      traced.get(origin)?.(trace);
      if (observers.wants(event)) observers.tell(event, { kind: 'dispatch', event, trace: trace(), origin });
    },
    onReport,
  });

  const links = (event?: string): Engine extends { links(event?: string): infer L } ? L : never => {
    const names = event === undefined ? Object.keys(events) : [event];
    return names.flatMap((name) => kernel.links(name).map((link, order) => linkInfo(link, name, order, core, health)));
  };

  const capabilities = (): Capabilities => {
    const named = new Set(
      kernel.links().flatMap(({ pattern }) => (findEvent(pattern, served) === undefined ? [] : [pattern])),
    );
    const ops = served.names();
    return {
      raised: [...raised].sort(),
      silent: [...named].filter((name) => !raised.has(name) && !ops.includes(name)).sort(),
      ops,
    };
  };

  return {
    on: createRegistrar(kernel, served, program, {}),
    owner: (spec) => {
      if (spec.root !== undefined) roots.set(spec.name, spec.root);
      return createOwner(kernel, served, spec, (owner) => timers.cancel(owner.name));
    },
    observe: observers.add,
    serve: served.serve,
    raises: (...names) => {
      for (const name of names) raised.add(name);
    },
    notice,
    raise: createRaise(core, state.reset),
    stream: createStream(core),
    tool: ((call: ToolCall, run: (run: ToolRun) => ToolAnswer) => runTool(call, run)) as Engine['tool'],
    model: createModel(core),
    explain: createExplain(core, runTool as never, health),
    links,
    capabilities,
    close: async () => {
      const grace = options.graceMs ?? GRACE_MS;
      timers.cancel();
      await activity.close(grace);
      await observers.drain(grace);
    },
  };
}
