import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Place } from '@trotline/engine';
import type { ReadContext } from './content.ts';

/** The path with every link resolved, as far as it exists; what does not exist yet is taken as written. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}

/** Whether `path` is `root` or below it. Both absolute, with links resolved. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export interface PathCheck {
  readonly kind: 'file' | 'folder' | 'any';
  /** A path of something that is switched off may be missing. */
  readonly enabled: boolean;
  /** What the path is, for the message: `The module`. */
  readonly noun: string;
}

/** Reports a path that leaves a project or does not exist. Says whether it may be used. */
export function checkPath(context: ReadContext, path: string, place: Place, check: PathCheck): boolean {
  const { report, root } = context;
  if (root !== undefined && !isInside(root, realOf(path))) {
    report.error('config.leaves-root', place, {
      what: `${check.noun} is outside the project`,
      expected: `a path inside ${root}`,
    });
    return false;
  }
  const found = kindOf(path);
  if (found === check.kind || (found !== 'nothing' && check.kind === 'any')) return true;
  const say = check.enabled ? report.error : report.warning;
  if (found === 'nothing')
    say('config.missing-file', place, {
      what: `${check.noun} does not exist`,
      expected: `${article(check.kind)} at ${path}`,
    });
  else say('config.unreadable', place, { what: `${check.noun} is ${article(found)}`, expected: article(check.kind) });
  return true;
}

const article = (kind: string): string =>
  ({ file: 'a file', folder: 'a folder', any: 'a file or folder', other: 'neither a file nor a folder' })[kind] ?? kind;

function kindOf(path: string): 'file' | 'folder' | 'other' | 'nothing' {
  try {
    const stat = statSync(path);
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'nothing';
  }
}
