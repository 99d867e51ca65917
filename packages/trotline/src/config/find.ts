import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The name of a configuration file, in a project and in the state folder. */
export const CONFIG_NAME = 'trotline.json';

type Env = Readonly<Record<string, string | undefined>>;

/** The state folder: as given, else `TROTLINE_HOME`, else `~/.trotline`. Absolute. */
export function homeFolder(home: string | undefined, env: Env = process.env): string {
  if (home !== undefined && home !== '') return resolve(home);
  const named = env['TROTLINE_HOME'];
  return named === undefined || named === '' ? join(homedir(), '.trotline') : resolve(named);
}

/**
 * Where whoever manages this machine puts a configuration that nobody below can undo: a folder that only an administrator writes.
 * No environment variable moves it, since a project can set those.
 */
export function managedPath(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return '/Library/Application Support/Trotline/managed.json';
  // Not from %ProgramData%: a variable of the process is not an administrator's word.
  if (platform === 'win32') return 'C:\\ProgramData\\Trotline\\managed.json';
  return '/etc/trotline/managed.json';
}

export interface ProjectSearch {
  /** The file nearest above, if there is one. */
  readonly found?: string;
  /** Every place looked at, nearest first; a file appearing at one of them would count. */
  readonly looked: readonly string[];
}

/** Looks for a project's file in `cwd` and upward to the root of the file system. `except` is the person's own, which is no project's. */
export function findProject(cwd: string, except: string): ProjectSearch {
  const looked: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME);
    if (file !== except) {
      looked.push(file);
      // Even a broken link or a folder of this name is found: passing it over would pass over a guard without a word.
      if (exists(file)) return { found: file, looked };
    }
    if (dirname(folder) === folder) return { looked };
  }
}

/** Whether there is anything at the path, a broken link included. */
export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    // Where we may not look there may be something, and reading it will say so.
    const code = (error as NodeJS.ErrnoException).code;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
