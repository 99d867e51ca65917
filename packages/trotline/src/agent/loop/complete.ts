import { AbortTurn, Control, HardAbort, TrotlineError } from '@trotline/engine';
import type { Turn } from './context.ts';
import type { Mark } from './conversation.ts';
import { raise } from './raise.ts';
import { type Answer, answerOpenCalls, runLoop } from './turn.ts';
import type { TurnResult } from './types.ts';

type Ended = Omit<TurnResult, 'turnId' | 'usage' | 'iterations'>;

/** A hook ended the loop: the result, and the control that whoever started this loop must pass on. */
export interface Completed {
  readonly result: TurnResult;
  readonly hardAbort?: HardAbort;
}

/**
 * Runs a turn to whatever end it comes to, leaves a conversation that can be sent again, and raises `turn.complete`.
 * `begin` enters the prompt, or says why there is no turn. `mark` is where the conversation stood before the turn: a hard abort goes back there.
 */
export async function completeTurn(
  turn: Turn,
  mark: Mark,
  begin: () => Promise<string | undefined>,
): Promise<Completed> {
  const started = performance.now();
  let ended: Ended;
  let hardAbort: HardAbort | undefined;
  let reason: 'answer' | 'aborted' | 'refusal' | 'error' = 'answer';
  try {
    const dropped = await begin();
    if (dropped !== undefined) return { result: resultOf(turn, { status: 'aborted', text: '', reason: dropped }) };
    const answer = await runLoop(turn);
    if (answer.response.stopReason === 'refusal') reason = 'refusal';
    ended = endedWell(answer);
  } catch (thrown) {
    ({ ended, hardAbort } = await endedBadly(turn, mark, thrown));
    reason = ended.status === 'aborted' ? 'aborted' : 'error';
  }
  try {
    const { text, usage } = { text: ended.text, usage: turn.usage };
    const said = await raise(
      turn.loop.shared.engine,
      'turn.complete',
      {
        answer: text,
        durationMs: Math.round(performance.now() - started),
        isAborted: reason === 'aborted',
        turnId: turn.turnId,
        ...(turn.loop.agentId === undefined ? {} : { agentId: turn.loop.agentId }),
        usage,
        reason,
      },
      () => ({ text, usage }),
    );
    if (typeof said['text'] === 'string' && said['text'] !== text) ended = { ...ended, note: said['text'] };
  } catch (thrown) {
    // The turn's own end comes first; a hook on its completion can only make it worse.
    if (hardAbort === undefined) ({ ended, hardAbort } = await endedBadly(turn, mark, thrown));
  }
  return { result: resultOf(turn, ended), ...(hardAbort === undefined ? {} : { hardAbort }) };
}

const resultOf = ({ turnId, usage, index }: Turn, ended: Ended): TurnResult => ({
  ...ended,
  turnId,
  usage,
  iterations: index,
});

function endedWell({ response, graceful }: Answer): Ended {
  const { text, stopReason } = response;
  const reason = graceful
    ? 'graceful interrupt'
    : stopReason === 'max_tokens'
      ? 'the answer was cut at the output limit'
      : stopReason === 'refusal'
        ? 'the model refused'
        : undefined;
  return { status: 'completed', text, ...(reason === undefined ? {} : { reason }) };
}

async function endedBadly(turn: Turn, mark: Mark, thrown: unknown): Promise<{ ended: Ended; hardAbort?: HardAbort }> {
  const { conversation } = turn.loop;
  try {
    if (thrown instanceof HardAbort) {
      await conversation.restore(mark);
      const { hook, reason } = thrown;
      return { ended: { status: 'aborted', text: '', reason, hook }, hardAbort: thrown };
    }
    if (thrown instanceof AbortTurn || thrown instanceof Control) {
      const { hook, reason } = thrown;
      await answerOpenCalls(turn, `The turn was ended by the hook ${hook}: ${reason}`);
      return { ended: { status: 'error', text: '', reason, hook } };
    }
    if (turn.signal.aborted) {
      await answerOpenCalls(turn, 'Interrupted: the person ended the turn.');
      return { ended: { status: 'aborted', text: '', reason: wordsOf(turn.signal.reason) } };
    }
    await answerOpenCalls(turn, 'The turn ended with an error before this call was answered.');
  } catch (storing) {
    // What could not be stored must not hide why the turn ended; the session is mended when it is loaded.
    const reason = `${wordsOf(thrown)} (and the conversation could not be stored: ${wordsOf(storing)})`;
    return { ended: { status: 'error', text: '', reason }, ...(thrown instanceof HardAbort && { hardAbort: thrown }) };
  }
  const error = thrown instanceof TrotlineError ? { error: thrown } : {};
  return { ended: { status: 'error', text: '', reason: wordsOf(thrown), ...error } };
}

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
