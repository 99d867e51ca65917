import { accessSync, closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Finding } from './finding.ts';

/**
 * Where `python3` leads. A version manager's shim is a shell script that starts a shell script: it takes a good part of a
 * second for each hook, and its answer depends on the folder it is started in.
 */
export function pythonFinding(env: Readonly<Record<string, string | undefined>>): Finding[] {
  const found = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder || '.', 'python3'))
    .find(isProgram);
  if (found === undefined) return [];
  if (!isScript(found)) return [{ check: 'python', state: 'ok', what: found }];
  return [
    {
      check: 'python',
      state: 'warning',
      what: `${found} is a shim, a script that looks for the real Python at each start`,
      remedy:
        'Name the interpreter itself in "command" of Python hooks; python3 -c "import sys; print(sys.executable)" says where it is.',
    },
  ];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isScript(path: string): boolean {
  try {
    const file = openSync(realpathSync(path), 'r');
    try {
      const start = Buffer.alloc(2);
      readSync(file, start, 0, 2, 0);
      return start.toString() === '#!';
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
