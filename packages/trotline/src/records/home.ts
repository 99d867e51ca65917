import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TrotlineError } from '@trotline/engine';

/** The state folder: `state` under `TROTLINE_HOME`, or under `~/.trotline`. */
export function stateDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env['TROTLINE_HOME'] || join(homedir(), '.trotline'), 'state');
}

/** Makes the folder (0700) and an empty file in it (0600) where they are missing, and takes other people's rights away. Throws `records.folder`. */
export function privateFile(dir: string, name: string): string {
  const file = join(dir, name);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    // SQLite gives its -wal and -shm the mode of the database, so that the file has to have it before SQLite comes.
    closeSync(openSync(file, 'a', 0o600));
    if (process.platform !== 'win32') {
      for (const [path, mode] of [
        [dir, 0o700],
        [file, 0o600],
      ] as const) {
        if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
      }
    }
    return file;
  } catch (cause) {
    throw new TrotlineError('records.folder', { file: dir, what: 'The state folder cannot be used', cause });
  }
}
