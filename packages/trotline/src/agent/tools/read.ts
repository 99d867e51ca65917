import { z } from 'zod';
import { defineTool } from './define.ts';
import { absolute, looksBinary, readRegular, toolFailure } from './files.ts';
import type { Tool } from './types.ts';

const maxBytes = 50_000_000;
const defaultLines = 2_000;
const maxLineChars = 2_000;
const maxTextChars = 200_000;

/** `Read`: lines of a text file, numbered. Waits for nothing: a pipe or a device is refused. */
export function createRead(): Tool {
  return defineTool({
    name: 'Read',
    description:
      `Reads a text file, its lines numbered from 1. Without a limit, ${defaultLines} lines; ` +
      'give offset (the first line) and limit for other parts of a long file.',
    isReadOnly: true,
    input: z.object({
      file_path: z.string().min(1).describe('Absolute, or relative to the working directory'),
      offset: z.number().int().nonnegative().optional().describe('The first line, from 1'),
      limit: z.number().int().positive().optional().describe('How many lines'),
    }),
    async run({ file_path, offset, limit }, { cwd, signal }) {
      const filePath = absolute(cwd, file_path);
      const { bytes } = await readRegular(filePath, maxBytes);
      signal.throwIfAborted();
      if (looksBinary(bytes)) {
        throw toolFailure(
          `${filePath} is binary (${bytes.length} bytes)`,
          'Look at it with a program of its kind in Bash.',
        );
      }
      const lines = linesOf(bytes.toString('utf8'));
      const start = Math.max(offset ?? 1, 1);
      if (start > lines.length && lines.length > 0) {
        throw toolFailure(`${filePath} has only ${lines.length} lines`, 'Read again with a smaller offset.');
      }
      const wanted = lines.slice(start - 1, start - 1 + (limit ?? defaultLines));
      const { numbered, shown } = number(wanted, start);
      const file = {
        filePath,
        content: shown.join('\n'),
        numLines: shown.length,
        startLine: start,
        totalLines: lines.length,
      };
      const last = start + shown.length - 1;
      const more =
        last < lines.length ? `\n[lines ${start} to ${last} of ${lines.length}; read on with offset ${last + 1}]` : '';
      return {
        result: { type: 'text', file },
        text: lines.length === 0 ? `[${filePath} is empty]` : `${numbered}${more}`,
      };
    },
  });
}

function number(lines: readonly string[], start: number): { numbered: string; shown: string[] } {
  const shown: string[] = [];
  let numbered = '';
  for (const [at, line] of lines.entries()) {
    const cut = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}… [${line.length} characters]` : line;
    const next = `${at === 0 ? '' : '\n'}${String(start + at).padStart(6)}\t${cut}`;
    if (numbered.length + next.length > maxTextChars) break;
    numbered += next;
    shown.push(cut);
  }
  return { numbered, shown };
}

/** Lines without their ends; a last line break ends a line and begins none. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
