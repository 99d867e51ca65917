import { events } from '../../events/catalogue.ts';
import { isHeld } from '../../events/held.ts';
import { sameData } from '../../events/reconcile.ts';
import { tableMisfit } from '../../events/tools.ts';
import {
  type BottomCall,
  type EventRules,
  isControl,
  type Maybe,
  type Origin,
  type TraceEntry,
} from '../../kernel/index.ts';
import { asInvocation, type Core, hostOrigin, messageOf } from '../core.ts';
import type { ToolAnswer, ToolCall, ToolOutcome, ToolRun, Verdict } from '../types.ts';
import { flatten, unflatten } from './arguments.ts';
import { decide } from './check.ts';
import { type BottomResult, heldDeny, names, recordQuietly, refuseInput, runAllowed } from './run.ts';
import { schemaMisfit } from './schema.ts';
import { type CallState, checkedCall, type Data } from './state.ts';
import { judge, managedVerdict, stricter } from './verdict.ts';

const rules = events['tool.call'];
const preToolUse = events['classic.PreToolUse'];
/** What a host raises by running its tools here, though nobody may stand on it. */
const raises = [
  rules.name,
  preToolUse.name,
  'tool.check',
  'tool.error',
  'classic.PostToolUse',
  'classic.PostToolUseFailure',
  'classic.PermissionRequest',
  'classic.PermissionDenied',
] as const;
/** Whose deny no hook makes a result of. A person's no to the permission default is one of them: the model must not hear that it ran. */
const isHeldSource = (kind: Verdict['source']['kind']): boolean =>
  kind === 'managed' || kind === 'rule' || kind === 'failure' || kind === 'person';

/** The one way a tool is run: `engine.tool`, and `$.tool.call` with a hook's origin. */
export function createTool(
  core: Core,
): (
  call: ToolCall,
  run: (run: ToolRun) => Maybe<ToolAnswer>,
  origin?: Origin,
  traced?: (trace: readonly TraceEntry[]) => void,
) => Promise<ToolOutcome> {
  let count = 0;
  const declare = (): void => {
    for (const name of raises) core.raised.add(name);
  };
  return async (call, run, origin = hostOrigin, traced) => {
    const running = core.activity.begin(call.signal);
    try {
      if (!core.raised.has(rules.name)) declare();
      const id = call.id ?? `call-${++count}`;
      const { e, aside } = flatten(call.tool, id, call.agentId, call.input);
      const state: CallState = {
        call,
        id,
        run: run as (run: ToolRun) => never,
        origin,
        dryRun: call.dryRun === true,
        aside,
        bottoms: 0,
        failures: undefined,
        aborted: false,
        stop: undefined,
        answeredBy: undefined,
        held: undefined,
      };
      return await through(core, state, e, running.signal, traced);
    } finally {
      running.end();
    }
  };
}

async function through(
  core: Core,
  state: CallState,
  e: Data,
  signal: AbortSignal,
  traced: ((trace: readonly TraceEntry[]) => void) | undefined,
): Promise<ToolOutcome> {
  const began = performance.now();
  // The managed layer speaks first: a call that it denies is shown to no hook.
  const managed = managedVerdict(core.options.gate, checkedCall(state, state.call.input));
  if (managed?.decision === 'deny') {
    return ended(core, state, await recordDeny(core, state, state.call.input, managed), began);
  }
  let answered: TraceEntry | undefined;
  let result: BottomResult;
  try {
    result = (await core.dispatch(heldRules(state), {
      e,
      origin: state.origin,
      cause: asInvocation(state.call.cause),
      signal,
      dryRun: state.dryRun,
      bottom: async (final: Data, call: BottomCall) => {
        const answer = await bottom(core, state, final, call.signal);
        state.bottoms += 1;
        state.held = isHeld(answer) ? answer : undefined;
        return answer;
      },
      onAsk: (link, failure) => {
        const name = link.name ?? link.owner.name;
        if (core.options.gate?.ask === undefined) return false;
        state.failures = stricter(state.failures, {
          decision: 'ask',
          reason: `${name} ${failure.message}`,
          source: { kind: 'failure', name },
        });
        return true;
      },
      onSettled: (trace: () => readonly TraceEntry[]) => {
        if (state.bottoms === 0) answered = answering(trace());
        traced?.(trace());
      },
    })) as BottomResult;
  } catch (error) {
    if (isControl(error)) throw error;
    if (signal.aborted) state.aborted = true;
    result = { result: messageOf(error), text: messageOf(error), isError: true };
  }
  if (state.bottoms === 0 && !state.aborted) result = await answeredAbove(core, state, result, answered, signal);
  return ended(core, state, result, began);
}

/**
 * The rules of `tool.call` for one call, which remember a held deny: a hook cannot get past it by leaving another `next`
 * of its own unfinished, which leaves it with nothing beneath.
 */
function heldRules(state: CallState): EventRules {
  const own = Object.create(rules) as { -readonly [K in keyof EventRules]: EventRules[K] };
  own.reconcile = (result, beneath, owner) =>
    (rules as EventRules).reconcile?.(result, beneath ?? state.held, owner) ?? { value: result };
  own.refusal = (reason) => {
    state.held = (rules as EventRules).refusal?.(reason);
    return state.held;
  };
  return own;
}

/** The innermost link that answered by itself, or whose failure did. */
const answering = (trace: readonly TraceEntry[]): TraceEntry | undefined =>
  trace.findLast((entry) => entry.plugin !== 'engine' && entry.outcome !== 'skipped');

const judgeCall = (
  core: Core,
  state: CallState,
  input: Data,
  hook?: Parameters<typeof judge>[2],
): ReturnType<typeof judge> =>
  judge(core.options.gate, checkedCall(state, input), hook, state.failures, core.options.loosening === true);

/** What lies beneath every hook: managed verdict, settings hooks, rules, `tool.check`, a person, the tool. */
async function bottom(core: Core, state: CallState, final: Data, signal: AbortSignal): Promise<BottomResult> {
  let input = unflatten(final, state.aside);
  const managed = managedVerdict(core.options.gate, checkedCall(state, input));
  if (managed?.decision === 'deny') return refuse(core, state, input, managed);
  const { hook, context, updated } = await settingsHooks(core, state, input, signal);
  input = updated ?? input;
  const misfit = inputMisfit(state.call, input);
  if (misfit !== undefined) return refuseInput(core, state, input, misfit, signal);
  const judged = judgeCall(core, state, input, hook);
  const verdict = await decide(core, state, input, judged, signal);
  if (verdict.decision === 'deny') return refuse(core, state, input, verdict);
  if (state.dryRun) return { result: null, text: `${state.call.tool} would run (${verdict.decision})` };
  return runAllowed(core, state, input, verdict, context, signal);
}

/** Why the final arguments do not fit the tool: its schema, or the table's where the call came in fitting it. */
function inputMisfit(call: ToolCall, input: Data): string | undefined {
  if (call.inputSchema !== undefined) return schemaMisfit(call.inputSchema, input);
  if (input === call.input) return undefined;
  const fits = tableMisfit(call.tool, call.input) === undefined;
  return fits ? tableMisfit(call.tool, input) : undefined;
}

interface PreResult {
  readonly allow?: true;
  readonly ask?: string;
  readonly deny?: string;
  readonly updatedInput?: Data;
  readonly additionalContext?: readonly string[];
  readonly preventContinuation?: true;
  readonly stopReason?: string;
}

interface PreVerdict {
  readonly hook?: Verdict | undefined;
  readonly context: readonly string[];
  readonly updated?: Data | undefined;
}
const unsaid: PreVerdict = { context: [] };

async function settingsHooks(core: Core, state: CallState, input: Data, signal: AbortSignal): Promise<PreVerdict> {
  if (!core.hooked(preToolUse.name)) return unsaid;
  const { e } = flatten(state.call.tool, state.id, undefined, input);
  const said = (await core.dispatch(preToolUse, {
    e,
    origin: state.origin,
    cause: asInvocation(state.call.cause),
    signal,
    dryRun: state.dryRun,
    // A hook's rewrite of the arguments on the way down is the last rewrite.
    bottom: (final: Data) => (sameData(final, e) ? {} : { updatedInput: unflatten(final, undefined) }),
  })) as PreResult;
  if (said.preventContinuation === true) state.stop = said.stopReason ?? `stopped by a hook before ${state.call.tool}`;
  const source = { kind: 'hook', name: 'PreToolUse' } as const;
  const hook: Verdict | undefined =
    said.deny !== undefined
      ? { decision: 'deny', reason: said.deny, source }
      : said.ask !== undefined
        ? { decision: 'ask', reason: said.ask, source }
        : said.allow === true
          ? { decision: 'allow', source }
          : undefined;
  return {
    hook,
    context: said.additionalContext ?? [],
    // It replaces all arguments; those that no hook is shown stay.
    updated: said.updatedInput === undefined ? undefined : { ...said.updatedInput, ...state.aside },
  };
}

async function refuse(core: Core, state: CallState, input: Data, verdict: Verdict): Promise<BottomResult> {
  const denied = await recordDeny(core, state, input, verdict);
  await permissionDenied(core, state, input, denied.deny);
  return denied;
}

async function recordDeny(
  core: Core,
  state: CallState,
  input: Data,
  verdict: Verdict,
): Promise<{ readonly deny: string }> {
  const reason = verdict.reason ?? `denied by ${verdict.source.name}`;
  await recordQuietly(core, state, input, 'deny', { ...verdict, reason });
  const held =
    isHeldSource(verdict.source.kind) && !(core.options.loosening === true && verdict.source.kind !== 'failure');
  return held ? heldDeny(reason) : { deny: reason };
}

async function permissionDenied(core: Core, state: CallState, input: Data, reason: string): Promise<void> {
  const event = events['classic.PermissionDenied'];
  if (state.dryRun || !core.hooked(event.name)) return;
  await core.dispatch(event, {
    e: { ...core.envelope(event.name), tool_name: state.call.tool, tool_input: input, tool_use_id: state.id, reason },
    origin: state.origin,
    cause: asInvocation(state.call.cause),
    bottom: () => ({}),
  });
}

/** A hook answered or denied in the tool's place. It is recorded; an answer may have to pass the rules all the same. */
async function answeredAbove(
  core: Core,
  state: CallState,
  result: BottomResult,
  answered: TraceEntry | undefined,
  signal: AbortSignal,
): Promise<BottomResult> {
  const by = answered?.plugin ?? 'a hook';
  state.answeredBy = by;
  const received = answered?.received;
  const seen =
    received !== null && typeof received === 'object' ? unflatten(received as Data, state.aside) : state.call.input;
  if ('deny' in result) {
    const kind = isHeld(result) ? 'failure' : 'hook';
    await recordQuietly(core, state, seen, 'deny', { reason: result.deny, source: { kind, name: by } });
    return result;
  }
  if (core.options.answered === 'check' && state.call.isRegistered !== false) {
    const judged = judgeCall(core, state, seen);
    const verdict = await decide(core, state, seen, judged, signal);
    if (verdict.decision === 'deny') return refuse(core, state, seen, verdict);
  }
  await recordQuietly(core, state, seen, 'answered', { source: { kind: 'hook', name: by } });
  return result;
}

function ended(core: Core, state: CallState, result: BottomResult, began: number): ToolOutcome {
  if (!state.dryRun && core.observers.wants('deny' in result ? 'tool.skipped' : 'tool.ended')) {
    if ('deny' in result) {
      const by = state.answeredBy === undefined ? {} : { by: state.answeredBy };
      core.notice('tool.skipped', { ...names(state), reason: result.deny, ...by });
    } else {
      core.notice('tool.ended', {
        ...names(state),
        input: state.call.input,
        ms: performance.now() - began,
        isError: result.isError === true,
        textLength: result.text?.length ?? 0,
        ...(state.aborted ? { aborted: true } : {}),
        ...(state.answeredBy === undefined ? {} : { answeredBy: state.answeredBy }),
      });
    }
  }
  const more = {
    ...(state.aborted ? { aborted: true as const } : {}),
    ...(state.stop === undefined ? {} : { stop: state.stop }),
  };
  if ('deny' in result) return { deny: result.deny, ...more };
  return {
    result: result.result,
    text: result.text,
    ...(result.isError === true ? { isError: true } : {}),
    ...(result.context === undefined ? {} : { context: result.context }),
    ...(state.answeredBy === undefined ? {} : { answeredBy: state.answeredBy }),
    ...more,
  };
}
