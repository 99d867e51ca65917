import { TrotlineError } from '@trotline/engine';
import { trust } from '../../config/index.ts';
import type { WhereOptions } from '../open.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { isYes, type Prompt } from '../terminal/lines.ts';
import { offerText } from './offer.ts';
import { brokenModules, type Project, projectOf } from './project.ts';

/**
 * Settles, before anything of it starts, whether a project takes part that is not trusted as it is. On a terminal the person
 * is shown what it would bring and asked; elsewhere what does not apply is told in a line. A trusted project that changed is
 * never passed over: the guards that were counted on would silently be gone.
 *
 * @throws `cli.not-trusted` when the person does not trust the change, or cannot be asked.
 */
export async function settleTrust(
  io: Pick<Io, 'err' | 'errColors' | 'env' | 'cwd'>,
  options: WhereOptions,
  prompt: Prompt | undefined,
): Promise<void> {
  if (options.config !== undefined || options.trust === true) return;
  const project = await projectOf(io.env, io.cwd);
  if (project === undefined || (project.state !== 'untrusted' && project.state !== 'changed')) return;
  if (prompt === undefined) {
    if (project.state === 'changed') throw notTrusted(project, 'there is no terminal to ask on');
    io.err(`${io.errColors.yellow('!')} ${untrustedText(project)}\n`);
    return;
  }
  io.err(offerText(project, await brokenModules(project.layer), io.errColors));
  const otherwise = project.state === 'changed' ? 'stop' : 'go on without it';
  const c = io.errColors;
  const keys = `${c.bold('y')} as it is now, ${c.bold('n')} ${otherwise}`;
  const answer = await prompt(`Trust it? (${keys}) `, new AbortController().signal);
  if (isYes(answer)) await trust(project.layer, { env: io.env });
  else if (project.state === 'changed') throw notTrusted(project, 'you did not trust the change');
  else io.err(`${c.dim('·')} ${untrustedText(project)}\n`);
}

function notTrusted({ layer, changed }: Project, why: string): TrotlineError {
  const files = listed(changed.map((file) => oneLine(file, 200)));
  return new TrotlineError('cli.not-trusted', {
    what: `the project changed since it was trusted (${files}), and ${why}; nothing was started`,
    file: layer.file,
  });
}

/** What of an untrusted project does not apply, and what to do, in one line. */
export function untrustedText({ layer, model, system, state }: Project): string {
  const names = layer.hooks.filter(({ enabled }) => enabled).map(({ name }) => oneLine(name, 40));
  const parts = [
    names.length === 0 ? '' : `its hooks do not run (${listed(names)})`,
    layer.rules.length === 0
      ? ''
      : `its ${count(layer.rules.length, 'rule')} ${layer.rules.length === 1 ? 'does' : 'do'} not hold`,
    model === undefined ? '' : 'its model is not used',
    system.length === 0 ? '' : 'its instructions are not given',
  ].filter((part) => part !== '');
  const what = parts.length === 0 ? 'nothing of it applies' : parts.join(', ');
  const why = state === 'changed' ? 'changed since it was trusted' : 'is not trusted';
  return `The project ${why}, so ${what}: ${oneLine(layer.file, 200)}. Read it, then: trotline trust`;
}

const count = (of: number, noun: string): string => `${of} ${noun}${of === 1 ? '' : 's'}`;

const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
