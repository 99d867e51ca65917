import type { CallableName } from '../../events/catalogue.ts';
import { events } from '../../events/catalogue.ts';
import { TrotlineError } from '../../events/errors.ts';
import type { BottomCall, EventRules, Origin } from '../../kernel/index.ts';
import type { Core } from '../core.ts';
import { randomId } from '../platform.ts';
import { checkChain } from '../tool/check.ts';
import type { CallState, Data } from '../tool/state.ts';
import { judge } from '../tool/verdict.ts';
import type { ToolCall, ToolOutcome, ToolRun } from '../types.ts';
import { type Caller, contextOf, noOp, refuseNow } from './call.ts';

type First = Readonly<Record<string, unknown>>;
type RunTool = (call: ToolCall, run: (run: ToolRun) => never, origin: Origin) => Promise<ToolOutcome>;

const plugin = (caller: Caller, first: First = {}): Data => ({
  kind: 'plugin',
  name: caller.origin.plugin,
  ...(first['asUser'] === true ? { asUser: true } : {}),
});

/** From the argument of a call to the data of its event, with what the caller may leave out. */
const fill: {
  readonly [N in Exclude<CallableName, 'tool.call' | 'tool.check'>]: (first: First, caller: Caller) => Data;
} = {
  'command.run': (first, caller) => ({
    args: '',
    presentation: { isFullscreen: false, columns: 80 },
    ...first,
    origin: plugin(caller),
  }),
  'config.set': ({ key, value }, caller) => ({ key, value, origin: plugin(caller) }),
  'prompt.submit': ({ asUser, ...first }, caller) => ({ wait: false, ...first, origin: plugin(caller, { asUser }) }),
  'prompt.fill': (first, caller) => ({ mode: 'replace', ...first, origin: plugin(caller) }),
  'prompt.suggest': (first, caller) => ({ ...first, origin: plugin(caller) }),
  'prompt.compose': (first) => ({
    model: '',
    promptModel: '',
    surfaces: [],
    tools: [],
    outputStyle: null,
    traits: [],
    ...first,
  }),
  'agent.spawn': (first, caller) => ({
    tool_use_id: randomId(),
    description: '',
    subagentType: 'general-purpose',
    parentModel: '',
    fork: false,
    ...first,
    background: true,
    provider: caller.origin,
  }),
  'session.send': ({ to, text }, caller) => ({ to: address(to), text, origin: plugin(caller) }),
  'session.append': (first, caller) => ({ ...first, door: 'note', origin: caller.origin, uuid: randomId() }),
  'session.compact': (first) => ({ messages: [], ...first, trigger: 'plugin' }),
  'ui.scroll': (first, caller) => ({ ...first, origin: plugin(caller) }),
  'ui.focus': (first, caller) => ({ ...first, origin: plugin(caller) }),
  'telemetry.log': (first) => ({ to: 'collector', ...first }),
  'telemetry.mark': (first) => ({ to: 'collector', ...first }),
};

function address(to: unknown): unknown {
  if (to === null || typeof to !== 'object') return to;
  const { sessionId, agentId } = to as { readonly sessionId?: string; readonly agentId?: string };
  return sessionId ?? agentId;
}

/** Raises an engine event for a hook: its own result, or a rejection where the host has no behaviour for it. */
export async function callEvent(
  core: Core,
  runTool: RunTool,
  caller: Caller,
  name: CallableName,
  first: First = {},
): Promise<unknown> {
  refuseNow(caller, name, name !== 'tool.check');
  caller.invocation.pause();
  try {
    if (name === 'tool.call') return await callTool(core, runTool, caller, first);
    if (name === 'tool.check') return await query(core, caller, first);
    const rules = events[name] as unknown as EventRules;
    return await core.dispatch(rules, {
      e: fill[name](first, caller),
      origin: caller.origin,
      cause: caller.invocation,
      bottom: (e: Data, call: BottomCall) => {
        const bottom = core.served.bottom(name);
        if (bottom === undefined) throw noOp(caller.origin.plugin, name);
        return bottom(e, contextOf(caller, call));
      },
    });
  } finally {
    caller.invocation.resume();
  }
}

async function callTool(core: Core, runTool: RunTool, caller: Caller, first: First): Promise<unknown> {
  const { tool, tool_use_id: _, agentId: __, consent: ___, ...input } = first;
  const name = String(tool);
  const served = core.served.tool(name);
  if (served === undefined) {
    throw new TrotlineError('engine.no-tool', {
      what: `${caller.origin.plugin} called ${name}, and there is no such tool`,
    });
  }
  const outcome = await runTool(
    {
      tool: name,
      input,
      cause: caller.invocation,
      id: randomId(),
      ...(served.isReadOnly === undefined ? {} : { isReadOnly: served.isReadOnly }),
      ...(served.inputSchema === undefined ? {} : { inputSchema: served.inputSchema }),
    },
    served.run as (run: ToolRun) => never,
    caller.origin,
  );
  if (outcome.deny !== undefined) return { deny: outcome.deny };
  // What a hook's own call adds for the model has nobody to read it.
  const { result, text, isError } = outcome;
  return { result, text, ...(isError === true ? { isError } : {}) };
}

/** `$.tool.check`: what would be decided. Nobody is asked, and no settings hook runs. */
async function query(core: Core, caller: Caller, first: First): Promise<unknown> {
  const input = (first['input'] ?? {}) as Data;
  const call: ToolCall = { tool: String(first['tool']), input, cause: caller.invocation };
  const checked = { tool: call.tool, input, id: '', isReadOnly: core.served.tool(call.tool)?.isReadOnly === true };
  const state: CallState = {
    call,
    id: '',
    run: () => '',
    origin: caller.origin,
    dryRun: caller.invocation.dryRun,
    aside: undefined,
    bottoms: 0,
    failures: undefined,
    aborted: false,
    stop: undefined,
    answeredBy: undefined,
    held: undefined,
  };
  const judged = judge(core.options.gate, checked, undefined, undefined, core.options.loosening === true);
  const { decision, reason } = await checkChain(core, state, checked, judged, caller.invocation.signal, true);
  return { decision, ...(reason === undefined ? {} : { reason }) };
}

/** `$.ui.ask`: a call of `AskUserQuestion`; the label that was chosen, or what was typed. */
export async function askPerson(
  call: (first: First) => Promise<unknown>,
  question: unknown,
  labels: unknown,
): Promise<string> {
  const options = Array.isArray(labels)
    ? labels
    : ((labels as { options?: readonly unknown[] } | undefined)?.options ?? []);
  const { header, multiSelect } = (Array.isArray(labels) ? {} : (labels ?? {})) as {
    header?: string;
    multiSelect?: true;
  };
  const text = String(question);
  const outcome = (await call({
    tool: 'AskUserQuestion',
    questions: [
      {
        question: text,
        header: header ?? text.slice(0, 12),
        options: options.map((label) => (typeof label === 'string' ? { label } : label)),
        multiSelect: multiSelect === true,
      },
    ],
  })) as { readonly deny?: string; readonly text?: string; readonly isError?: true; readonly result?: unknown };
  if (outcome.deny !== undefined) throw new Error(outcome.deny);
  if (outcome.isError === true) throw new Error(outcome.text ?? 'the question was not answered');
  const answer = (outcome.result as { answers?: Readonly<Record<string, string>> } | undefined)?.answers?.[text];
  if (answer === undefined) throw new Error('the question was not answered');
  return answer;
}
