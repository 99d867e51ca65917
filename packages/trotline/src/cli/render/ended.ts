import type { TurnResult } from '../../agent/index.ts';
import { printError } from '../errors.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from './ndjson.ts';
import type { TurnView } from './turn.ts';

/** Shows how a turn ended, after all that was observed of it. */
export async function showEnd(io: Io, json: boolean, view: TurnView, result: TurnResult): Promise<void> {
  // Observers are told after the fact, in turns of their own.
  await new Promise((resolve) => setImmediate(resolve));
  view.end(result);
  if (result.error !== undefined && !json) printError(io, result.error, false);
}

/** Says that a hook goes on with a prompt of its own, before its turn is shown. */
export function tellOwnTurn(io: Io, json: boolean, { text, by }: { readonly text: string; readonly by: string }): void {
  if (json) printJson(io, { type: 'prompt', by, text });
  else io.err(`${io.errColors.dim('·')} ${oneLine(by, 60)} goes on: ${oneLine(text, 300)}\n`);
}
