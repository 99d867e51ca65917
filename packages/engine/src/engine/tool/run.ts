import { events } from '../../events/catalogue.ts';
import { TrotlineError } from '../../events/errors.ts';
import { markHeld } from '../../events/held.ts';
import { resultText } from '../../events/reconcile.ts';
import { freezeCopy, isControl } from '../../kernel/index.ts';
import { asInvocation, type Core, messageOf } from '../core.ts';
import type { DecisionRow, OutcomeRow, ToolAnswer, Verdict } from '../types.ts';
import type { CallState, Data } from './state.ts';

/** What the bottom of `tool.call` answers. */
export type BottomResult =
  | { readonly deny: string }
  | {
      readonly ref?: string;
      readonly result: unknown;
      readonly text: string;
      readonly isError?: true;
      readonly isReadOnly?: true;
      readonly context?: readonly string[];
    };

let rows = 0;

/** Records a decision. An allow is durable when this resolves. */
export async function record(
  core: Core,
  state: CallState,
  input: Data,
  decision: DecisionRow['decision'],
  verdict: Pick<Verdict, 'reason' | 'source'>,
): Promise<string> {
  const id = `decision-${++rows}`;
  if (state.dryRun) return id;
  const { call } = state;
  await core.options.recorder?.decided({
    id,
    at: Date.now(),
    tool: call.tool,
    toolUseId: state.id,
    input,
    decision,
    source: verdict.source,
    ...(call.sessionId === undefined ? {} : { session: call.sessionId }),
    ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
  });
  return id;
}

/** Records what keeps no tool from running: a failure is told and changes nothing. */
export async function recordQuietly(...args: Parameters<typeof record>): Promise<void> {
  const [core, state] = args;
  try {
    await record(...args);
  } catch (error) {
    core.notice('record.failed', { ...names(state), message: messageOf(error) });
  }
}

export const names = ({ call, id }: CallState): Record<string, unknown> => ({
  tool: call.tool,
  toolUseId: id,
  ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
  ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
});

/** A deny that no hook of tier `user` or inside it can turn into a result. */
export const heldDeny = (reason: string): { readonly deny: string } => markHeld(freezeCopy({ deny: reason }));

const errorResult = (text: string): BottomResult => ({ result: text, text, isError: true });

/** Records the decision, runs the tool, records how it ended, and has `tool.error` and the settings hooks told. */
export async function runAllowed(
  core: Core,
  state: CallState,
  input: Data,
  verdict: Verdict,
  context: readonly string[],
  signal: AbortSignal,
): Promise<BottomResult> {
  if (signal.aborted) return interrupted(state);
  let row: string;
  try {
    row = await record(core, state, input, 'allow', verdict);
  } catch (error) {
    const { message } = new TrotlineError('engine.not-recorded', {
      what: `${state.call.tool} did not run, because the decision could not be recorded (${messageOf(error)})`,
      cause: error,
    });
    core.notice('record.failed', { ...names(state), message: messageOf(error) });
    return heldDeny(message);
  }
  const began = performance.now();
  const settled = (status: OutcomeRow['status'], isError: boolean): Promise<void> =>
    settle(core, state, row, { status, at: Date.now(), ms: performance.now() - began, isError });
  if (signal.aborted) {
    await settled('aborted', true);
    return interrupted(state);
  }
  if (core.observers.wants('tool.started')) core.notice('tool.started', { ...names(state), input });
  let answer: BottomResult;
  try {
    answer = answerOf(
      await state.run({
        tool: state.call.tool,
        input,
        id: state.id,
        signal,
        ...(state.call.agentId === undefined ? {} : { agentId: state.call.agentId }),
      }),
    );
  } catch (error) {
    if (isControl(error)) {
      await settled('aborted', true);
      throw error;
    }
    answer = errorResult(messageOf(error));
  }
  const ms = performance.now() - began;
  const isError = 'isError' in answer && answer.isError === true;
  if (signal.aborted) state.aborted = true;
  await settled(signal.aborted ? 'aborted' : isError ? 'failed' : 'done', isError);
  return after(core, state, input, answer, context, ms, signal);
}

function interrupted(state: CallState): BottomResult {
  state.aborted = true;
  return errorResult(
    new TrotlineError('engine.interrupted', { what: 'The call was interrupted before it ran' }).message,
  );
}

async function settle(core: Core, state: CallState, row: string, outcome: OutcomeRow): Promise<void> {
  try {
    await core.options.recorder?.settled(row, outcome);
  } catch (error) {
    core.notice('record.failed', { ...names(state), message: messageOf(error) });
  }
}

function answerOf(answer: ToolAnswer): BottomResult {
  if (typeof answer === 'string') return { result: answer, text: answer };
  if (answer === null || typeof answer !== 'object') return { result: answer, text: resultText(answer) };
  return {
    result: answer.result,
    text: answer.text ?? resultText(answer.result),
    ...(answer.isError === true ? { isError: true as const } : {}),
  };
}

/** A call that failed before it ran: its arguments do not fit. */
export async function refuseInput(
  core: Core,
  state: CallState,
  input: Data,
  misfit: string,
  signal: AbortSignal,
): Promise<BottomResult> {
  const { message } = new TrotlineError('engine.input', { what: `${state.call.tool} did not run: ${misfit}` });
  await recordQuietly(core, state, input, 'deny', {
    reason: misfit,
    source: { kind: 'default', name: 'input schema' },
  });
  const answer = errorResult(message);
  await toolError(core, state, input, message, signal);
  return answer;
}

async function toolError(core: Core, state: CallState, input: Data, error: string, signal: AbortSignal): Promise<void> {
  if (!core.hooked('tool.error')) return;
  const { call } = state;
  await core.dispatch(events['tool.error'], {
    e: {
      tool: call.tool,
      tool_use_id: state.id,
      input,
      error,
      ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
    },
    origin: state.origin,
    cause: asInvocation(call.cause),
    signal,
    dryRun: state.dryRun,
    bottom: () => ({ error }),
  });
}

interface AfterResult {
  readonly additionalContext?: readonly string[];
  readonly updatedToolOutput?: unknown;
  readonly updatedMCPToolOutput?: unknown;
  readonly block?: string;
  readonly preventContinuation?: true;
  readonly stopReason?: string;
}

async function after(
  core: Core,
  state: CallState,
  input: Data,
  answer: BottomResult,
  context: readonly string[],
  ms: number,
  signal: AbortSignal,
): Promise<BottomResult> {
  if ('deny' in answer) return answer;
  const failed = answer.isError === true;
  if (failed) await toolError(core, state, input, answer.text, signal);
  const event = events[failed ? 'classic.PostToolUseFailure' : 'classic.PostToolUse'];
  const more: AfterResult = !core.hooked(event.name)
    ? {}
    : ((await core.dispatch(event, {
        e: {
          ...core.envelope(event.name),
          tool_name: state.call.tool,
          tool_input: input,
          tool_use_id: state.id,
          duration_ms: ms,
          ...(state.call.agentId === undefined ? {} : { agent_id: state.call.agentId }),
          ...(failed ? { error: answer.text, is_interrupt: state.aborted } : { tool_response: answer.result }),
        },
        origin: state.origin,
        cause: asInvocation(state.call.cause),
        signal,
        bottom: () => ({}),
      })) as AfterResult);
  if (more.preventContinuation === true) state.stop = more.stopReason ?? `stopped by a hook after ${state.call.tool}`;
  const output = more.updatedToolOutput ?? more.updatedMCPToolOutput;
  const changed = output === undefined ? answer : { ...answer, result: output, text: resultText(output) };
  const all = [...context, ...(more.additionalContext ?? []), ...(more.block === undefined ? [] : [more.block])];
  return {
    ref: state.id,
    ...changed,
    ...(state.call.isReadOnly === true ? { isReadOnly: true as const } : {}),
    ...(all.length === 0 ? {} : { context: all }),
  };
}
