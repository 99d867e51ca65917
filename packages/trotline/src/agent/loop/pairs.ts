import type { Message, ToolCall } from '../models/types.ts';

/** What the model reads where a result never came. */
export const lostResult = 'The result of this call is not known: the session ended before it was stored.';

/** The calls of the last answer that have no result yet. */
export function unanswered(messages: readonly Message[]): readonly ToolCall[] {
  const at = messages.findLastIndex((message) => message.role !== 'tool');
  const last = messages[at];
  if (last?.role !== 'assistant' || last.toolCalls === undefined) return [];
  const answered = new Set(messages.slice(at + 1).map((message) => message.role === 'tool' && message.toolCallId));
  return last.toolCalls.filter(({ id }) => !answered.has(id));
}

/** Whether a turn was cut off: calls without a result, or a prompt or results that the model has not answered. */
export const isUnfinished = (messages: readonly Message[]): boolean => {
  const role = messages.at(-1)?.role;
  return role === 'user' || role === 'tool' || unanswered(messages).length > 0;
};

/**
 * A conversation in which every tool call has exactly one result, right after its answer, and every result has its call:
 * servers refuse anything else. What is missing is put in, what has no call is left out.
 */
export function paired(messages: readonly Message[]): readonly Message[] {
  const result: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'tool') continue;
    result.push(message);
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    const results = new Map<string, Message>();
    for (let next = at + 1; messages[next]?.role === 'tool'; next++) {
      const tool = messages[next];
      if (tool?.role === 'tool' && !results.has(tool.toolCallId)) results.set(tool.toolCallId, tool);
    }
    for (const { id, name } of message.toolCalls) {
      result.push(
        results.get(id) ?? { role: 'tool', toolCallId: id, toolName: name, content: lostResult, isError: true },
      );
    }
  }
  return result;
}
