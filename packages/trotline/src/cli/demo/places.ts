import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TrotlineError } from '@trotline/engine';

// In an installed package the files lie in `dist/demo`; in the repository they are the example itself.
const candidates = ['../../demo/', '../../../../../examples/main-job/'];

/** The folder that holds the demonstration's files: `project` (configuration, hooks, written turns) and `start`. */
export function demoFiles(): string {
  const found = candidates
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}project/trotline.json`));
  if (found === undefined)
    throw new TrotlineError('cli.demo-failed', { what: 'the files of the demonstration are not installed' });
  return found;
}
