import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { homeFolder } from '../../config/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { readCount } from '../options.ts';
import { timeText } from '../render/time.ts';
import { clean } from '../terminal/clean.ts';
import { table } from '../terminal/table.ts';

/** Of a log file, this much of the end is looked at. */
const maxBytes = 1_000_000;

/** `trotline logs [hook]` */
export async function logs(
  { io, json }: Context,
  [hook]: readonly string[],
  options: { readonly lines?: string },
): Promise<number> {
  const folder = join(homeFolder(undefined, io.env), 'logs');
  const known = logFiles(folder);
  if (hook === undefined) {
    if (json) io.out(`${JSON.stringify({ logs: known })}\n`);
    else if (known.length === 0) io.out('No hook has printed anything.\n');
    else
      io.out(
        table(known.map(({ name, bytes, at }) => [clean(name), `${bytes} bytes`, io.outColors.dim(timeText(at))])),
      );
    return exit.done;
  }
  const found = known.find(({ name }) => name === hook);
  if (found === undefined) {
    const expected = known.map(({ name }) => name).join(', ');
    throw new TrotlineError('cli.no-log', {
      what: `there is no log of a hook ${hook}`,
      ...(expected !== '' && { expected }),
    });
  }
  const lines = lastLines(found.file, readCount('--lines', options.lines) ?? 100);
  if (json) io.out(`${JSON.stringify({ name: hook, file: found.file, lines })}\n`);
  else for (const line of lines) io.out(`${clean(line)}\n`);
  return exit.done;
}

interface LogFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

function logFiles(folder: string): LogFile[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => {
      const file = join(folder, name);
      const { size, mtimeMs } = statSync(file);
      return { name: hookOf(name.slice(0, -'.log'.length)), file, bytes: size, at: mtimeMs };
    })
    .sort((a, b) => b.at - a.at);
}

/** The name of a hook stands in its file's name, escaped as in an address. */
function hookOf(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

function lastLines(file: string, count: number): string[] {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString('utf8', 0, read).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.slice(-count);
  } finally {
    closeSync(handle);
  }
}
