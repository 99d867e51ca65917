import type { ToolOutcome } from '@trotline/engine';
import { clean, oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

/** What is shown of a result; of a failure more, since it has to be understood. */
const lines = { plain: 2, failed: 6 } as const;
/** Not even a full result is endless. */
const maxChars = 100_000;

/** The first lines of what a tool answered, as the model reads it, and how many there are; all of them with `full`. */
export function resultText(
  { text = '', isError, deny }: ToolOutcome,
  { c, room, full }: { readonly c: Colors; readonly room: number; readonly full: boolean },
): string {
  if (deny !== undefined) return '';
  const all = clean(text.slice(0, maxChars)).trimEnd().split('\n');
  if (all.length === 1 && all[0] === '') return '';
  const limit = full ? all.length : isError === true ? lines.failed : lines.plain;
  // One line more costs no more than saying that there is one.
  const shown = all.length === limit + 1 ? all : all.slice(0, limit);
  const left = all.length - shown.length;
  // Why something failed is read to its end.
  const width = isError === true ? Math.max(room, 300) : room;
  const drawn = shown.map((line) => `  ${c.dim(full ? line : oneLine(line.trimEnd(), width))}\n`);
  return `${drawn.join('')}${left > 0 ? `  ${c.dim(`… ${left} more lines`)}\n` : ''}`;
}
