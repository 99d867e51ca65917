import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { PeerError } from './failure.ts';
import { whereCommandsStart } from './start.ts';

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
      remedy: 'Write `command` as a list: the program, then its arguments.',
    });
  }
  requireFolder(name, cwd);
  if (program.includes('/')) {
    const file = isAbsolute(program) ? program : resolve(cwd, program);
    const problem = problemWith(file);
    if (problem === undefined) return file;
    throw new PeerError('start', 'supervise.cannot-start', {
      what: `${name} cannot start: ${file} ${problem}`,
      remedy: remedies[problem],
    });
  }
  for (const folder of (path ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, program);
    if (problemWith(file) === undefined) return resolve(file);
  }
  throw new PeerError('start', 'supervise.cannot-start', {
    what: `${name} cannot start: no program "${program}" on PATH`,
    remedy: `Install ${program}, or begin \`command\` with its whole path.`,
  });
}

const remedies = {
  'does not exist': whereCommandsStart,
  'is not a file': 'Begin `command` with a program.',
  'may not be executed': 'Make it executable (`chmod +x`), or begin `command` with its interpreter.',
};

function problemWith(file: string): keyof typeof remedies | undefined {
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
    remedy: 'Create it, or correct `dir`.',
  });
}
