import { messageText } from '../models/script.ts';
import type { Message } from '../models/types.ts';

/** Tokens of a conversation, roughly: four characters a token, and a few for each message. No tokenizer fits every model. */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + Math.ceil(messageText(message).length / 4) + 4, 0);
}
