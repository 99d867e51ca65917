import { type EventRules, fits, type Origin, type Seated, type TraceEntry } from '../kernel/index.ts';
import { type Core, drained, eventOf, hostOrigin, messageOf } from './core.ts';
import { type Health, linkInfo } from './links.ts';
import { unflatten } from './tool/arguments.ts';
import { asked, managedVerdict } from './tool/verdict.ts';
import type { CheckedCall, Engine, Explanation, ToolCall, ToolOutcome, ToolRun } from './types.ts';

type Data = Readonly<Record<string, unknown>>;
type RunTool = (
  call: ToolCall,
  run: (run: ToolRun) => never,
  origin: Origin,
  traced: (trace: readonly TraceEntry[]) => void,
) => Promise<ToolOutcome>;

/** Says which links match, in what order, under which policy, and what the rules say. With `run`, the hooks are really asked. */
export function createExplain(core: Core, runTool: RunTool, health: Health): Engine['explain'] {
  return async (event, e, options = {}) => {
    const rules = eventOf(event, core.served);
    const links = core.kernel.links(event).map((link, order) => ({
      ...linkInfo(link, event, order, core, health),
      ...matches(link, e),
    }));
    const explanation: Explanation = { event, links, ...rulesOf(core, event, e) };
    if (options.run !== true) return explanation;
    return { ...explanation, run: event === 'tool.call' ? await tryCall(runTool, e) : await tryOut(core, rules, e) };
  };
}

function matches(link: Seated, e: Data): { readonly matches: boolean; readonly why?: string } {
  if (link.matcher !== undefined && !fits(link.matcher, e)) {
    const key = Object.keys(link.matcher).find((name) => !fits({ [name]: link.matcher?.[name] as never }, e));
    const reason =
      key === undefined || e[key] === undefined ? `the event has no ${key}` : `${key} does not fit its matcher`;
    return { matches: false, why: reason };
  }
  if (link.when === undefined) return { matches: true };
  try {
    return link.when(e) ? { matches: true } : { matches: false, why: 'its own condition says no' };
  } catch (error) {
    return { matches: true, why: `its own condition fails: ${messageOf(error)}` };
  }
}

function rulesOf(core: Core, event: string, e: Data): Pick<Explanation, 'rules'> {
  if (event !== 'tool.call' && event !== 'tool.check') return {};
  const input = event === 'tool.check' ? ((e['input'] ?? {}) as Data) : unflatten(e, undefined);
  const call: CheckedCall = { tool: String(e['tool']), input, id: '', isReadOnly: e['isReadOnly'] === true };
  const { gate } = core.options;
  const managed = managedVerdict(gate, call);
  const rules = asked(gate?.rules?.bind(gate), call, 'the rules');
  const fallback = asked(gate?.fallback?.bind(gate), call, 'the permission default');
  return {
    rules: {
      ...(managed === undefined ? {} : { managed }),
      ...(rules === undefined ? {} : { rules }),
      ...(fallback === undefined ? {} : { fallback }),
    },
  };
}

async function tryCall(runTool: RunTool, e: Data): Promise<NonNullable<Explanation['run']>> {
  let trace: readonly TraceEntry[] = [];
  const run = (): never => {
    throw new Error('a dry run never runs a tool');
  };
  try {
    const result = await runTool(
      { tool: String(e['tool']), input: unflatten(e, undefined), dryRun: true },
      run,
      hostOrigin,
      (made) => {
        trace = made;
      },
    );
    return { result, trace };
  } catch (error) {
    return { error: messageOf(error), trace };
  }
}

async function tryOut(core: Core, rules: EventRules, e: Data): Promise<NonNullable<Explanation['run']>> {
  let trace: readonly TraceEntry[] = [];
  const { neutral } = rules as { neutral?: (e: unknown) => unknown };
  try {
    const answer = core.dispatch(rules, {
      e,
      origin: hostOrigin,
      dryRun: true,
      bottom: (final: unknown) => {
        if (neutral === undefined) throw new Error('nothing lies beneath in a dry run');
        return neutral(final);
      },
      onSettled: (made) => {
        trace = made();
      },
    });
    const result = rules.stream ? await drained(answer as AsyncGenerator<unknown, unknown, undefined>) : await answer;
    return { result, trace };
  } catch (error) {
    return { error: messageOf(error), trace };
  }
}
