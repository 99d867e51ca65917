import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Lines, linesOf } from './lines.ts';
import type { Reporter } from './problem.ts';

/** No configuration written by a person comes near this. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** The text of a configuration file, exactly as it was hashed. */
export interface Source {
  readonly file: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly bytes: Buffer;
  readonly lines: Lines;
}

/** Reads a configuration file, or reports why it cannot be read. */
export async function readSource(file: string, report: Reporter): Promise<Source | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readBounded(file, MAX_CONFIG_BYTES);
  } catch (error) {
    reportUnreadable(file, error, report);
    return undefined;
  }
  const decoded = decode(bytes, file, report);
  if (decoded === undefined) return undefined;
  const marked = decoded.startsWith('\ufeff');
  if (marked)
    report.warning(
      'config.byte-order-mark',
      { file, line: 1, column: 1 },
      { what: 'The file starts with a byte order mark' },
    );
  const text = marked ? decoded.slice(1) : decoded;
  return { file, text, bytes, lines: linesOf(text) };
}

/**
 * Reads a regular file of at most `limit` bytes. A pipe or a device is refused before it can make us wait, and a file that
 * grows while it is read is refused like one that was too large from the start.
 * @throws `RangeError` when it is too large, `TypeError` when it is not a regular file, else the error of the system.
 */
export async function readBounded(file: string, limit: number): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new TypeError('it is a folder');
    if (!stat.isFile()) throw new TypeError('it is not a regular file');
    if (stat.size > limit) throw new RangeError(`it has ${stat.size} bytes`);
    const buffer = Buffer.alloc(Math.min(stat.size + 1, limit + 1));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    throw new RangeError('it grew while it was read');
  } finally {
    await handle.close();
  }
}

function reportUnreadable(file: string, error: unknown, report: Reporter): void {
  const code = (error as NodeJS.ErrnoException).code;
  const place = { file };
  if (error instanceof RangeError)
    report.error('config.too-large', place, {
      what: `The file is too large: ${error.message}`,
      expected: `at most ${MAX_CONFIG_BYTES} bytes`,
    });
  else if (code === 'ENOENT' || code === 'ENOTDIR')
    report.error('config.missing-file', place, { what: 'The file does not exist' });
  else report.error('config.unreadable', place, { what: `The file cannot be read: ${reason(error)}` });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go round in a circle',
  ENXIO: 'it is not a regular file',
};

function reason(error: unknown): string {
  if (error instanceof TypeError) return error.message;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return reasons[code] ?? code;
}

function decode(bytes: Buffer, file: string, report: Reporter): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const loose = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const at = linesOf(loose).at(Math.max(0, loose.indexOf('\ufffd')));
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const what = wide ? 'The file is UTF-16' : 'The file holds bytes that are not UTF-8';
    report.error('config.encoding', { file, ...at }, { what, expected: 'UTF-8' });
    return undefined;
  }
}
