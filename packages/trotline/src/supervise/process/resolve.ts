import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { PeerError } from './failure.ts';

/**
 * The absolute path of a program. A bare name is looked up in the `path` that is inherited from, not in that of the child's environment, as Go
 * does: a configuration's `env.PATH` must not choose which program runs. A path with a separator stands relative to `cwd`.
 *
 * @throws PeerError `supervise.cannot-start` when there is no such program or it may not be run.
 */
export function resolveProgram(
  name: string,
  program: string | undefined,
  cwd: string,
  path: string | undefined,
): string {
  if (program === undefined || program === '') {
    throw new PeerError('start', 'supervise.cannot-start', {
      what: `${name} has no command`,
      expected: 'a program and its arguments',
    });
  }
  requireFolder(name, cwd);
  if (program.includes('/')) {
    const file = isAbsolute(program) ? program : resolve(cwd, program);
    const problem = problemWith(file);
    if (problem === undefined) return file;
    throw new PeerError('start', 'supervise.cannot-start', { what: `${name} cannot start: ${file} ${problem}` });
  }
  for (const folder of (path ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, program);
    if (problemWith(file) === undefined) return resolve(file);
  }
  throw new PeerError('start', 'supervise.cannot-start', {
    what: `${name} cannot start: no program "${program}" on PATH`,
  });
}

function problemWith(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return 'is not a file';
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'may not be executed' : 'does not exist';
  }
}

function requireFolder(name: string, cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new PeerError('start', 'supervise.cannot-start', {
    what: `${name} cannot start: its folder ${cwd} does not exist`,
  });
}
