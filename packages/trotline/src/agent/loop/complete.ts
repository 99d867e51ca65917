import { type HardAbort, isControl, isHardAbort, TrotlineError } from '@trotline/engine';
import { Stopped } from './batch.ts';
import { scope, type Turn } from './context.ts';
import type { Mark } from './conversation.ts';
import { answerOpenCalls } from './left.ts';
import { notify, raise } from './raise.ts';
import { type Answer, runLoop } from './turn.ts';
import type { TurnResult } from './types.ts';

type Ended = Omit<TurnResult, 'turnId' | 'usage' | 'iterations'>;

/** Raises `turn.start`; a subagent's carries its id. */
export async function beginTurn({ loop, turnId, signal }: Turn, text: string): Promise<void> {
  loop.turnId = turnId;
  const e = { text, turnId, ...(loop.agentId === undefined ? {} : { agentId: loop.agentId }) };
  await raise(loop.shared.engine, 'turn.start', e, () => ({ turnId }), signal);
  notify(loop.shared.engine, 'turn.started', { sessionId: loop.shared.sessionId, ...e });
}

/** A hook ended the loop: the result, and the control that whoever started this loop must pass on. */
export interface Completed {
  readonly result: TurnResult;
  readonly hardAbort?: HardAbort;
}

/**
 * Runs a turn to whatever end it comes to, leaves a conversation that can be sent again, and raises `turn.complete`.
 * `begin` enters the prompt `text`, or says why there is no turn. `mark` is where the conversation stood before the turn:
 * a hard abort goes back there.
 */
export async function completeTurn(
  turn: Turn,
  text: string,
  mark: Mark,
  begin: () => Promise<string | undefined>,
): Promise<Completed> {
  const started = performance.now();
  let ended: Ended;
  let hardAbort: HardAbort | undefined;
  let reason: Reason = 'answer';
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
  const durationMs = Math.round(performance.now() - started);
  try {
    const said = await raiseComplete(turn, ended.text, reason, durationMs);
    if (said !== ended.text) ended = { ...ended, note: said };
  } catch (thrown) {
    // The turn's own end comes first; a hook on its completion can only make it worse.
    if (hardAbort === undefined) {
      const worse = await endedBadly(turn, mark, thrown);
      hardAbort = worse.hardAbort;
      ended = { ...worse.ended, text: hardAbort === undefined ? ended.text : '' };
    }
  }
  const { engine, cwd } = turn.loop.shared;
  const { index: iterations } = turn;
  notify(engine, 'turn.ended', {
    ...scope(turn),
    status: ended.status,
    iterations,
    durationMs,
    text,
    answer: ended.text,
    cwd,
  });
  return { result: resultOf(turn, ended), ...(hardAbort === undefined ? {} : { hardAbort }) };
}

type Reason = 'answer' | 'aborted' | 'refusal' | 'error';

/** What hooks say of an answer; it is shown beneath where it differs. */
async function raiseComplete(turn: Turn, answer: string, reason: Reason, durationMs: number): Promise<string> {
  const { loop, turnId, usage } = turn;
  const agent = loop.agentId === undefined ? {} : { agentId: loop.agentId };
  const e = { answer, durationMs, isAborted: reason === 'aborted', turnId, ...agent, usage, reason };
  return (await raise(loop.shared.engine, 'turn.complete', e, () => ({ text: answer, usage }))).text;
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
    if (isHardAbort(thrown)) {
      await conversation.restore(mark);
      const { hook, reason } = thrown;
      return { ended: { status: 'aborted', text: '', reason, hook }, hardAbort: thrown };
    }
    if (isControl(thrown)) {
      const { hook, reason } = thrown;
      await answerOpenCalls(turn, `The turn was ended by the hook ${hook}: ${reason}`);
      return { ended: { status: 'error', text: '', reason, hook } };
    }
    if (thrown instanceof Stopped) {
      await answerOpenCalls(turn, `Skipped: a hook ended the turn: ${thrown.message}`);
      return { ended: { status: 'aborted', text: '', reason: thrown.message } };
    }
    if (turn.signal.aborted) {
      await answerOpenCalls(turn, 'Interrupted: the person ended the turn.');
      return { ended: { status: 'aborted', text: '', reason: wordsOf(turn.signal.reason) } };
    }
    await answerOpenCalls(turn, 'The turn ended with an error before this call was answered.');
  } catch (storing) {
    // What could not be stored must not hide why the turn ended; the session is mended when it is loaded.
    notify(turn.loop.shared.engine, 'session.failed', {
      ...scope(turn),
      stage: 'session_save',
      message: wordsOf(storing),
    });
    const reason = `${wordsOf(thrown)} (and the conversation could not be stored: ${wordsOf(storing)})`;
    return { ended: { status: 'error', text: '', reason }, ...(isHardAbort(thrown) && { hardAbort: thrown }) };
  }
  const error = thrown instanceof TrotlineError ? { error: thrown } : {};
  notify(turn.loop.shared.engine, 'session.failed', { ...scope(turn), stage: 'llm', message: wordsOf(thrown) });
  return { ended: { status: 'error', text: '', reason: wordsOf(thrown), ...error } };
}

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
