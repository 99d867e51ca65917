import { messageText } from '../models/script.ts';
import type { Message } from '../models/types.ts';

/** Messages never change, and a long conversation is estimated before each request. */
const known = new WeakMap<Message, number>();

/** Tokens of a conversation, roughly: four characters a token, and a few for each message. No tokenizer fits every model. */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

function tokensOf(message: Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = Math.ceil(messageText(message).length / 4) + 4;
  known.set(message, tokens);
  return tokens;
}
