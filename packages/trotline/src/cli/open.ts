import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { type Line, type OpenLineOptions, openLine } from '../host/index.ts';
import type { Shown } from '../ops/index.ts';
import { oneLine } from './terminal/clean.ts';
import type { Io } from './terminal/io.ts';

/** The options that say where and with which configuration. */
export interface WhereOptions {
  readonly config?: string;
  readonly cwd?: string;
  readonly trust?: boolean;
}

/** The folder that tools work in. Throws `cli.no-folder`. */
export function folderOf(io: Pick<Io, 'cwd'>, { cwd }: Pick<WhereOptions, 'cwd'>): string {
  const folder = resolve(io.cwd, cwd ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TrotlineError('cli.no-folder', { what: `${folder} is no folder` });
  }
  return folder;
}

/**
 * Opens a line to look at it: `--cwd` is the folder to stand in, so that what is shown is what somebody who stands there gets.
 * What is faulty is left out and told in `problems`.
 */
export function openToLook(io: Io, options: WhereOptions, more: Partial<OpenLineOptions> = {}): Promise<Line> {
  const { cwd: _, ...rest } = options;
  return openHere(standingIn(io, options), rest, { tolerant: true, ...more });
}

/** The outside as somebody sees it who stands in the folder of `--cwd`. Throws `cli.no-folder`. */
export const standingIn = (io: Io, options: Pick<WhereOptions, 'cwd'>): Io => ({ ...io, cwd: folderOf(io, options) });

/** Opens a line as the options say. Here `--cwd` says where tools work and nothing else: files are found from the shell's folder. */
export function openHere(io: Io, options: WhereOptions, more: Partial<OpenLineOptions> = {}): Promise<Line> {
  return openLine({
    cwd: io.cwd,
    workdir: folderOf(io, options),
    env: io.env,
    ...(options.config === undefined ? {} : { config: resolve(io.cwd, options.config) }),
    ...(options.trust === true ? { trust: true } : {}),
    show: (shown) => io.err(shownText(shown, io.errColors)),
    ...more,
  });
}

/** What a hook says to the person, as a line. */
function shownText({ by, kind, text, to }: Shown, c: Io['errColors']): string {
  if (text === undefined || to === 'debug') return '';
  return `${kind === 'log' ? c.dim('·') : c.yellow('!')} ${c.dim(oneLine(by, 60))} ${oneLine(text, 500)}\n`;
}
