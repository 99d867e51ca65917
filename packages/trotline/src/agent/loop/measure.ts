import { type HardAbort, isHardAbort } from '@trotline/engine';
import type { Message, Model } from '../models/types.ts';
import type { Turn } from './context.ts';
import { raise } from './raise.ts';
import { estimateTokens } from './tokens.ts';

/** Tokens that fit the model's context window, where nothing is known of it. */
const unknownWindow = 200_000;

export const windowOf = ({ contextWindow = unknownWindow }: Model): number => contextWindow;

/** How full the context window is. */
export interface ContextUse {
  readonly tokens: number;
  readonly window: number;
  readonly percent: number;
}

/** `counted`: tokens as the server counted them last, where it did. */
export function contextUse(model: Model, messages: readonly Message[], counted = 0): ContextUse {
  const tokens = counted > 0 ? counted : estimateTokens(messages);
  const window = windowOf(model);
  return { tokens, window, percent: Math.round((tokens * 100) / window) };
}

/** Raises `session.measure` once a turn is over, where the turn changed anything. The hook that ends the agent there, if one does. */
export async function measureSession(
  { loop, tokens }: Turn,
  before: readonly Message[],
): Promise<HardAbort | undefined> {
  const messages = loop.conversation.messages();
  if (messages === before) return undefined;
  const context = contextUse(loop.model, messages, tokens);
  const e = { context, rateLimits: [], changed: ['context'] as const };
  try {
    await raise(loop.shared.engine, 'session.measure', e, ({ changed }) => ({ changed }));
  } catch (thrown) {
    // The turn is over and stays as it ended; the line has traced the rest.
    if (isHardAbort(thrown)) return thrown;
  }
  return undefined;
}
