import type { ToolCall } from '../models/types.ts';
import { shorten } from '../tools/capture.ts';
import { keep, skipped } from './batch.ts';
import type { Turn } from './context.ts';
import { lostResult, unanswered } from './pairs.ts';
import type { CallLog } from './types.ts';

/**
 * At most once: a call that had begun before a process ended is answered with that, told to the person, and never run
 * again. Those that had not begun stay open.
 */
export async function answerBegunCalls(turn: Turn, calls: CallLog | undefined): Promise<void> {
  const { conversation, shared } = turn.loop;
  for (const call of unanswered(conversation.messages())) {
    const known = await calls?.find({ session: shared.sessionId, toolUseId: call.id });
    const begun = known?.find(({ startedAt }) => startedAt !== undefined);
    if (known !== undefined && begun === undefined) continue;
    const state = begun?.state ?? 'unknown';
    skipped(turn, call, `it had begun in an earlier run (${state}) and is not run again: ${inputText(call)}`);
    await keep(turn, call, `${lostResult} It was not run again (${state}). Look before you repeat it.`, true);
  }
}

/** A new prompt instead of going on: what an earlier process left open is answered, and none of it runs. */
export async function leaveOpenCalls(turn: Turn, calls: CallLog | undefined): Promise<void> {
  await answerBegunCalls(turn, calls);
  for (const call of unanswered(turn.loop.conversation.messages())) {
    skipped(turn, call, `the session ended before it ran, and a new prompt came: ${inputText(call)}`);
    await keep(turn, call, 'This call was not run: the session ended before it, and a new prompt came.', true);
  }
}

/** Gives every open call of the last answer a result, so that the conversation can be sent again. */
export async function answerOpenCalls(turn: Turn, content: string): Promise<void> {
  for (const call of unanswered(turn.loop.conversation.messages())) await keep(turn, call, content, true);
}

const inputText = ({ input }: ToolCall): string => shorten(JSON.stringify(input), 300);
