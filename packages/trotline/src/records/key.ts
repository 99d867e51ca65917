import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { TrotlineError } from '@trotline/engine';

const size = 32;

/**
 * This installation's key, made at the first call. It is written beside its place and linked in, so that of several processes that
 * start at once exactly one makes it and none reads half of it. Throws `records.key`.
 */
export function installationKey(dir: string): Uint8Array {
  const file = join(dir, 'installation.key');
  const key = readKey(file) ?? makeKey(dir, file);
  if (key.length !== size) {
    throw new TrotlineError('records.key', {
      file,
      what: `The key has ${key.length} bytes`,
      expected: `${size} bytes`,
    });
  }
  return key;
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const key = readFileSync(file);
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return key;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TrotlineError('records.key', { file, what: 'The key cannot be read', cause });
  }
}

function makeKey(dir: string, file: string): Uint8Array {
  const fresh = join(dir, `.installation.key.${process.pid}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(handle, randomBytes(size));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    try {
      linkSync(fresh, file);
    } catch (cause) {
      // Another process was first; its key is the key.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    return readFileSync(file);
  } catch (cause) {
    throw new TrotlineError('records.key', { file, what: 'The key cannot be made', cause });
  } finally {
    rmSync(fresh, { force: true });
  }
}
