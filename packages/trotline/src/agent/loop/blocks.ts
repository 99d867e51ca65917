import type { Message } from '../models/types.ts';

/** A message as `session.append` shows it. */
export interface AppendedMessage {
  readonly type: 'user' | 'assistant';
  readonly role: 'user' | 'assistant';
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

/** A message in the blocks that hooks know. */
export function toBlocks(message: Message): AppendedMessage {
  switch (message.role) {
    case 'assistant':
      return {
        type: 'assistant',
        role: 'assistant',
        content: [
          ...(message.content === '' ? [] : [{ type: 'text', text: message.content }]),
          ...(message.toolCalls ?? []).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
        ],
      };
    case 'tool':
      return {
        type: 'user',
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: message.toolCallId,
            content: message.content,
            ...(message.isError === true && { is_error: true }),
          },
        ],
      };
    default:
      return { type: 'user', role: 'user', content: [{ type: 'text', text: message.content }] };
  }
}

/** What a hook made of a message: its texts and results count, its tool calls stay as they were. */
export function withBlocks(message: Message, rewritten: unknown): Message {
  const content = (rewritten as { content?: unknown } | null)?.content;
  if (!Array.isArray(content)) return message;
  const texts = content.flatMap((block) =>
    block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  if (message.role !== 'tool') return { ...message, content: texts.join('\n') };
  const result = content.find((block) => block?.type === 'tool_result');
  if (result === undefined) return message;
  const { isError: _, ...rest } = message;
  return {
    ...rest,
    content: typeof result.content === 'string' ? result.content : blocksText(result.content),
    ...(result.is_error === true && { isError: true }),
  };
}

function blocksText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
}
