import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/** What to do about a start that failed for a reason only the program knows. */
export const byHand = 'Run its command by hand in the same folder to see why; what it printed is in `trotline logs`.';

/** What to do about a file that is not where a command says. */
export const whereCommandsStart =
  'Commands are relative to the folder trotline is started in, or to `dir` where it is set: correct the path, or write it whole.';

const interpreters = /^(python|node|ruby|perl|php|lua|sh|bash|dash|zsh|ksh|fish|deno|bun|tsx|ts-node|pypy)[\d.]*$/;
const scripts = /\.(py|pyw|[cm]?js|[cm]?ts|rb|pl|php|lua|sh|bash|zsh|ksh|fish|jar)$/i;

/**
 * The script that a command names and that is not there. Asked once a start has failed: what an interpreter makes of its
 * arguments is its own matter, so this explains a failure and never causes one.
 */
export function missingScript(command: readonly string[], cwd: string): string | undefined {
  const [program = '', ...rest] = command;
  const [first] = rest.filter((argument) => !argument.startsWith('-'));
  const candidates = rest.filter(
    (argument) =>
      scripts.test(argument) || (argument === first && argument.includes('/') && interpreters.test(basename(program))),
  );
  return candidates.find((file) => !/^-|\s|:\/\//.test(file) && !existsSync(resolve(cwd, file)));
}
