import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';

/** A refusal in words the model can act on. */
export function toolFailure(what: string, remedy?: string): TrotlineError {
  return new TrotlineError('agent.tool-failed', { what, ...(remedy === undefined ? {} : { remedy }) });
}

/** A path as the model gave it, absolute. */
export function absolute(cwd: string, path: string): string {
  if (path.includes('\0')) throw toolFailure('the path holds a zero byte');
  return resolve(cwd, path);
}

/**
 * The bytes of a regular file. Devices, pipes and sockets are refused without waiting for them: the file is opened
 * without blocking, and looked at by its handle, so nothing can be put in its place meanwhile.
 */
export async function readRegular(path: string, maxBytes: number): Promise<{ bytes: Buffer; stats: Stats }> {
  const handle = await openFile(path);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw toolFailure(`${path} is a folder`, 'List it with Glob, or with ls in Bash.');
    if (!stats.isFile()) throw toolFailure(`${path} is no regular file`, 'Only regular files can be read.');
    if (stats.size > maxBytes) {
      throw toolFailure(
        `${path} has ${stats.size} bytes, more than ${maxBytes}`,
        'Take what is needed with Grep or Bash.',
      );
    }
    return { bytes: await readBounded(handle, path, maxBytes), stats };
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw toolFailure(`${path} cannot be read: ${reason(error)}`);
  }
}

/** A file under /proc has no size and yet content, so the bound is kept while reading. */
async function readBounded(handle: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536), 0, 65_536, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    length += bytesRead;
    if (length > maxBytes) throw toolFailure(`${path} has more than ${maxBytes} bytes`);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

/** Bytes as text that can be written back unchanged, or undefined where they are no UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export const looksBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_192).includes(0);

/** Replaces or makes a file in one step: a reader sees the old content or the new. Links are followed, the mode is kept. */
export async function writeAtomic(path: string, content: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const before = await lstat(target).catch(() => undefined);
  if (before?.isSymbolicLink()) throw toolFailure(`${path} is a link to nothing`, 'Write to what it points at.');
  if (before !== undefined && !before.isFile()) throw toolFailure(`${path} is no regular file`);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(temporary, 'wx', before === undefined ? 0o666 : 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (before !== undefined) await chmod(temporary, before.mode & 0o7777);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toolFailure(`${path} cannot be written: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ELOOP: 'too many links',
    ENOTDIR: 'a part of its path is no folder',
    ENXIO: 'nobody serves it',
    EISDIR: 'it is a folder',
    ENAMETOOLONG: 'its name is too long',
    ENOSPC: 'the disk is full',
  };
  return (code !== undefined && known[code]) || (error as Error).message;
}
