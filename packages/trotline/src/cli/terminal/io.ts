import type { ReadStream } from 'node:tty';
import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** The outside of a command: where it reads and writes, and what it knows of its surroundings. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  /** Writes to stdout; for what was asked for. */
  readonly out: (text: string) => void;
  /** Writes to stderr; for what is said beside it. */
  readonly err: (text: string) => void;
  readonly outColors: Colors;
  readonly errColors: Colors;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: () => number;
  /** Columns that a table on stdout may have: the terminal's, `COLUMNS`, or as many as it likes in a file or a pipe. */
  readonly room: () => number;
  /** A person sits in front of it: questions can be asked and answered. */
  readonly interactive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

type Output = NodeJS.WriteStream;

/** Whether to colour what goes to a stream: `FORCE_COLOR` and `NO_COLOR` first, else a terminal that can. */
export function colored(stream: { readonly isTTY?: boolean }, env: Io['env']): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

const roomOf = (columns: string | undefined): number =>
  /^[1-9]\d{0,4}$/.test(columns ?? '') ? Math.max(Number(columns), 40) : Number.POSITIVE_INFINITY;

/** The real one. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const write = (stream: Output) => (text: string) => {
    if (!stream.destroyed && stream.writable) stream.write(text);
  };
  return {
    stdin,
    out: write(stdout),
    err: write(stderr),
    outColors: picocolors.createColors(colored(stdout, env)),
    errColors: picocolors.createColors(colored(stderr, env)),
    columns: () => stdout.columns ?? stderr.columns ?? 80,
    room: () => stdout.columns ?? roomOf(env['COLUMNS']),
    interactive: stdin.isTTY === true && stderr.isTTY === true && env['CI'] === undefined,
    env,
    cwd: process.cwd(),
  };
}
