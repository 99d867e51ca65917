import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { TrotlineError } from '@trotline/engine';

/** The largest source file that is read. Hand-written files are a hundredth of it. */
export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

/** A native parser overflows its stack, and with it the process, somewhere above 2,000 levels of brackets. */
const MAX_NESTING = 1_000;

export interface SourceFile {
  readonly text: string;
  readonly sha256: string;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
};

/** The real path of an entry file. Errors: `modules.not-found`, `modules.unreadable`. */
export async function locate(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Whether a path names something that is not a folder, without opening it. */
export async function exists(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && !stats.isDirectory();
}

/**
 * Reads at most `maxBytes` of a regular file. A pipe, a device or a folder is refused before it is opened and, should it be
 * swapped in between, after it was opened without blocking. Errors: `modules.not-found`, `modules.unreadable`.
 */
export async function readRegular(path: string, maxBytes: number): Promise<{ bytes: Buffer; stats: Stats }> {
  try {
    const before = await lstat(path);
    if (!before.isFile() && !before.isSymbolicLink()) throw notRegular(path, before);
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw notRegular(path, stats);
      if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
      const bytes = Buffer.alloc(stats.size + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === bytes.length) break;
      }
      return { bytes: bytes.subarray(0, Math.min(length, stats.size)), stats };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof TrotlineError ? error : unreadable(path, error);
  }
}

/** Reads a source file as text. Errors: `modules.not-found`, `modules.unreadable`. */
export async function readSource(path: string): Promise<SourceFile> {
  const { bytes } = await readRegular(path, MAX_SOURCE_BYTES);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notSource(path, 'is not UTF-8 text');
  }
  if (text.includes('\0')) throw notSource(path, 'is not text: it contains a NUL byte');
  if (nesting(text) > MAX_NESTING) throw notSource(path, `nests brackets more than ${MAX_NESTING} deep`);
  return { text, sha256: sha256(bytes) };
}

/** Counts brackets without regard to strings and comments: close enough for a limit that real code is far from. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 40 || c === 91 || c === 123) deepest = Math.max(deepest, ++depth);
    else if (c === 41 || c === 93 || c === 125) depth = Math.max(0, depth - 1);
  }
  return deepest;
}

const notSource = (file: string, why: string): TrotlineError =>
  new TrotlineError('modules.unreadable', {
    file,
    what: `The file ${why}`,
    expected: 'a TypeScript or JavaScript file',
  });

const notRegular = (file: string, stats: Stats): TrotlineError => notSource(file, `is ${kindOf(stats)}`);

const tooLarge = (file: string, size: number, max: number): TrotlineError =>
  notSource(file, `is ${size.toLocaleString('en')} bytes long, more than the ${max.toLocaleString('en')} allowed`);

function unreadable(file: string, cause: unknown): TrotlineError {
  const code = codeOf(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new TrotlineError('modules.not-found', { file, what: 'There is no such file', cause });
  }
  const why: Record<string, string> = {
    ELOOP: 'is a symbolic link that leads back to itself',
    EACCES: 'may not be read by this user',
    EPERM: 'may not be read by this user',
    ENXIO: 'is a socket or a device',
    ENAMETOOLONG: 'has a name that is too long',
  };
  const reason = why[code] ?? `cannot be read (${code === '' ? 'unknown error' : code})`;
  return new TrotlineError('modules.unreadable', { file, what: `The file ${reason}`, cause });
}
