import { TrotlineError } from '@trotline/engine';
import type { Io } from './terminal/io.ts';
import { isYes, terminalPrompt } from './terminal/lines.ts';

/** Asks a person who has no model or no key whether to see the demonstration instead. Nobody else is asked. */
export async function wantsDemo(io: Io, error: unknown): Promise<boolean> {
  const keyless = error instanceof TrotlineError && (error.code === 'agent.no-model' || error.code === 'agent.no-key');
  if (!keyless || !io.interactive) return false;
  const answer = await terminalPrompt(io)('See the demonstration instead? [y/N] ', new AbortController().signal);
  return isYes(answer);
}
