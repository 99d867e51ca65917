import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import { findBounded, type Span } from './bounded-regexp.ts';
import { shorten } from './capture.ts';
import { defineTool } from './define.ts';
import { absolute, looksBinary, readRegular, toolFailure } from './files.ts';
import { linesOf } from './read.ts';
import type { Tool, ToolContext, ToolOutcome } from './types.ts';
import { type Found, walk } from './walk.ts';

const maxFileBytes = 5_000_000;
const maxMatchesPerFile = 10_000;
const maxLineChars = 500;
const maxTextChars = 30_000;
const patternMs = 1_000;
const defaultLimit = 250;

const input = z.object({
  pattern: z.string().min(1).max(10_000).describe('A regular expression in JavaScript’s syntax'),
  path: z.string().optional().describe('A file or folder; the working directory unless given'),
  glob: z.string().optional().describe('Only files that fit, such as *.ts'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional(),
  '-i': z.boolean().optional().describe('Ignore case'),
  '-n': z.boolean().optional().describe('Line numbers; on unless false'),
  '-A': z.number().int().min(0).max(100).optional().describe('Lines after each match'),
  '-B': z.number().int().min(0).max(100).optional().describe('Lines before each match'),
  '-C': z.number().int().min(0).max(100).optional().describe('Lines around each match'),
  multiline: z.boolean().optional().describe('Let a match reach over line breaks, and . fit them'),
  head_limit: z.number().int().positive().max(10_000).optional().describe('Lines or files at most'),
});
type Input = z.output<typeof input>;

/** `Grep`: text in files. No pattern can hold the agent up: its time is bounded file by file. */
export function createGrep(): Tool {
  return defineTool({
    name: 'Grep',
    description:
      'Searches file contents with a regular expression. output_mode: files_with_matches (the default), content or ' +
      'count. What .gitignore names, node_modules, .git and binary files are left out.',
    isReadOnly: true,
    input,
    run: grep,
  });
}

async function grep(asked: Input, { cwd, signal }: ToolContext): Promise<ToolOutcome> {
  const flags = `g${asked['-i'] === true ? 'i' : ''}m${asked.multiline === true ? 's' : ''}`;
  try {
    new RegExp(asked.pattern, flags);
  } catch (error) {
    throw toolFailure(`the pattern is no regular expression: ${(error as Error).message}`);
  }
  const mode = asked.output_mode ?? 'files_with_matches';
  const limit = asked.head_limit ?? defaultLimit;
  const filenames: string[] = [];
  const lines: string[] = [];
  const notes: string[] = [];
  let matches = 0;
  let tooLarge = 0;
  let full = false;
  for await (const file of filesOf(absolute(cwd, asked.path ?? '.'), asked.glob, signal)) {
    const read = await readRegular(file.path, maxFileBytes).catch(() => undefined);
    if (read === undefined) {
      tooLarge++;
      continue;
    }
    if (looksBinary(read.bytes)) continue;
    const text = read.bytes.toString('utf8');
    const spans = searchText(asked, flags, text, file.path);
    if (spans.length === 0) continue;
    filenames.push(file.path);
    matches += spans.length;
    if (mode === 'count') lines.push(`${file.path}:${spans.length}`);
    if (mode === 'content') lines.push(...contentOf(asked, file.path, text, spans));
    full = (mode === 'files_with_matches' ? filenames : lines).length >= limit;
    if (full) break;
  }
  if (full) notes.push(`[the search ended after ${limit}; narrow it, or set head_limit]`);
  if (tooLarge > 0) notes.push(`[${tooLarge} files could not be read or are larger than ${maxFileBytes} bytes]`);
  const shown = (mode === 'files_with_matches' ? filenames : lines).slice(0, limit);
  const content = shorten(shown.join('\n'), maxTextChars);
  return {
    result: {
      mode,
      numFiles: filenames.length,
      filenames,
      ...(mode === 'content' ? { content, numLines: shown.length } : {}),
      ...(mode === 'count' ? { content, numMatches: matches } : {}),
    },
    text: [shown.length === 0 ? 'No matches found' : content, ...notes].join('\n'),
  };
}

async function* filesOf(root: string, glob: string | undefined, signal: AbortSignal): AsyncGenerator<Found> {
  const stats = await stat(root).catch(() => undefined);
  if (stats === undefined) throw toolFailure(`${root} does not exist`);
  if (!stats.isDirectory()) {
    yield { path: root, relative: basename(root) };
    return;
  }
  const byName = glob !== undefined && !glob.includes('/');
  const fits = glob === undefined ? undefined : picomatch(glob, { dot: true });
  for await (const file of walk(root, signal)) {
    if (fits === undefined || fits(byName ? basename(file.path) : file.relative)) yield file;
  }
}

/** Matches as line numbers, from and to, counted from 0. */
function searchText(asked: Input, flags: string, text: string, path: string): readonly Span[] {
  const spans = findBounded(asked.pattern, flags, text, maxMatchesPerFile, patternMs, asked.multiline !== true);
  if (spans === 'slow') {
    throw toolFailure(
      `the pattern took longer than ${patternMs} ms on ${path}`,
      'Use a simpler pattern: no nested repetition.',
    );
  }
  if (asked.multiline !== true) return spans;
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let line = 0;
  return spans.map(([from, to]) => {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= from) line++;
    let last = line;
    while ((starts[last + 1] ?? Number.POSITIVE_INFINITY) < to) last++;
    return [line, last] as const;
  });
}

function contentOf(asked: Input, path: string, text: string, spans: readonly Span[]): string[] {
  const all = linesOf(text);
  const before = asked['-B'] ?? asked['-C'] ?? 0;
  const after = asked['-A'] ?? asked['-C'] ?? 0;
  const matched = new Set<number>();
  const shown = new Set<number>();
  for (const [from, to] of spans) {
    for (let line = from; line <= to; line++) matched.add(line);
    for (let line = Math.max(from - before, 0); line <= Math.min(to + after, all.length - 1); line++) shown.add(line);
  }
  const numbered = asked['-n'] !== false;
  const result: string[] = [];
  let previous = -1;
  for (const line of [...shown].sort((a, b) => a - b)) {
    if (before + after > 0 && previous !== -1 && line > previous + 1) result.push('--');
    previous = line;
    const mark = matched.has(line) ? ':' : '-';
    const value = all[line] ?? '';
    const cut = value.length > maxLineChars ? `${value.slice(0, maxLineChars)}… [${value.length} characters]` : value;
    result.push(`${path}${mark}${numbered ? `${line + 1}${mark}` : ''}${cut}`);
  }
  return result;
}
