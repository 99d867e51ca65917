import { events } from '../events/catalogue.ts';
import { createKernel, type EventRules, type LinkSpec, type Owner } from '../kernel/index.ts';
import type { Engine, EngineOptions, Observed, ToolOutcome, Verdict } from './types.ts';

const program: Owner = { name: 'program', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
const hostOrigin = { plugin: 'engine', tier: 'core' } as const;

function rulesOf(name: string): EventRules {
  return (
    (events as unknown as Record<string, EventRules>)[name] ?? {
      name,
      stream: false,
      observe: false,
      budgetMs: 10_000,
      pinned: () => false,
      eventMisfit: () => undefined,
      resultMisfit: () => undefined,
    }
  );
}

/** Makes an engine: one line that hooks are seated on. */
export function createEngine(options: EngineOptions = {}): Engine {
  const kernel = createKernel({
    dollar: (invocation) => {
      const dollar: Record<string, Record<string, unknown>> = {};
      for (const [name, bottom] of Object.entries(options.ops ?? {})) {
        const [noun, method] = name.split('.') as [string, string];
        dollar[noun] ??= {};
        dollar[noun][method] = async (first: unknown) =>
          bottom((typeof first === 'object' ? first : { path: first, text: first, key: first, name: first }) as never, {
            signal: invocation.signal,
            origin: { plugin: invocation.link.owner.name, tier: 'user' },
          });
      }
      return dollar;
    },
  });
  const observers = new Set<(seen: Observed) => unknown>();
  const emit = (seen: Observed): void => {
    for (const observer of observers) queueMicrotask(() => observer(seen));
  };
  let count = 0;
  const registrar =
    (owner: Owner, defaults: object, mine: (() => void)[] = []) =>
    (pattern: string, ...rest: unknown[]) => {
      const matcher = typeof rest[0] === 'function' ? undefined : rest.shift();
      const [hook, extra] = rest;
      const off = kernel.register({
        owner,
        pattern,
        hook,
        ...defaults,
        ...(matcher ? { matcher } : {}),
        ...(extra as object),
      } as LinkSpec);
      mine.push(off);
      return off;
    };
  const dispatch = async (
    name: string,
    e: unknown,
    bottom: (e: never) => unknown,
    extra: object = {},
  ): Promise<unknown> => kernel.dispatch(rulesOf(name), { e, origin: hostOrigin, bottom, ...extra } as never);

  const engine: Engine = {
    on: registrar(program, {}) as Engine['on'],
    owner: ({ name, onFailure, ...spec }) => {
      const owner: Owner = { ...program, ...spec, name };
      const mine: (() => void)[] = [];
      return {
        owner,
        on: registrar(owner, onFailure === undefined ? {} : { onFailure }, mine) as Engine['on'],
        remove: () => {
          for (const off of mine) off();
        },
      };
    },
    observe: (observer) => {
      observers.add(observer);
      return Object.assign(() => void observers.delete(observer), { dropped: 0 });
    },
    notice: (name, data) => emit({ kind: 'notice', notice: { name, at: Date.now(), data } }),
    raise: (name, e, o = {}) =>
      dispatch(name, e, (x) =>
        o.bottom === undefined ? {} : o.bottom(x, o.signal ?? new AbortController().signal),
      ) as never,
    tool: async (call, run) => {
      const id = call.id ?? `call-${++count}`;
      const signal = call.signal ?? new AbortController().signal;
      return (await dispatch(
        'tool.call',
        { ...call.input, tool: call.tool, tool_use_id: id },
        async (e: Record<string, unknown>) => {
          const { tool, tool_use_id, agentId: _, ...input } = e;
          const checked = { tool: String(tool), input, id, isReadOnly: call.isReadOnly === true };
          const { gate, recorder } = options;
          let verdict: Verdict | undefined =
            gate?.managed?.(checked) ?? gate?.rules?.(checked) ?? gate?.fallback?.(checked);
          if (verdict?.decision === 'ask') {
            verdict = gate?.ask
              ? await gate.ask(checked, verdict, signal)
              : { ...verdict, decision: 'deny', reason: gate?.unasked?.(checked, verdict) ?? 'nobody can be asked' };
          }
          const deny = verdict?.decision === 'deny';
          await recorder?.decided({
            id,
            at: Date.now(),
            tool: checked.tool,
            toolUseId: id,
            input,
            decision: deny ? 'deny' : 'allow',
            source: verdict?.source ?? { kind: 'default', name: 'none' },
          });
          if (deny) return { deny: verdict?.reason ?? 'denied' };
          const began = Date.now();
          try {
            const answer = await run({ tool: String(tool), input, id: String(tool_use_id), signal });
            await recorder?.settled(id, { status: 'done', at: Date.now(), ms: Date.now() - began, isError: false });
            return typeof answer === 'string' ? { result: answer, text: answer } : answer;
          } catch (error) {
            await recorder?.settled(id, { status: 'failed', at: Date.now(), ms: Date.now() - began, isError: true });
            return { result: String(error), text: String(error), isError: true };
          }
        },
      )) as ToolOutcome;
    },
    model: (request, send) => {
      const inner = send(request, request.signal ?? new AbortController().signal);
      let settle: (v: unknown) => void = () => undefined;
      let fail: (v: unknown) => void = () => undefined;
      const result = new Promise((a, b) => {
        settle = a;
        fail = b;
      });
      result.catch(() => undefined);
      async function* stream(): AsyncGenerator<unknown, unknown, undefined> {
        try {
          const r = yield* inner;
          settle(r);
          return r;
        } catch (error) {
          fail(error);
          throw error;
        }
      }
      return Object.assign(stream(), { result });
    },
    explain: async (event) => ({ event, links: [] }),
    links: () => [],
    capabilities: () => ({ raised: [], silent: [], ops: Object.keys(options.ops ?? {}) }),
    close: async () => undefined,
  };
  return engine;
}
