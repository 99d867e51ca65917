import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { readRegular } from './files.ts';

/** Looked at by nobody who searches for something. */
const alwaysIgnored = new Set(['.git', 'node_modules', '.hg', '.svn']);
const maxEntries = 200_000;

export interface Found {
  readonly path: string;
  /** Relative to where the walk began, with slashes. */
  readonly relative: string;
}

interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  readonly fits: (relative: string) => boolean;
}

/**
 * Every file beneath a folder that no `.gitignore` names, by name. Links to folders are not followed, so a walk ends.
 * Returns whether it ended before its time because there were too many entries.
 */
export async function* walk(root: string, signal: AbortSignal): AsyncGenerator<Found, boolean> {
  let seen = 0;
  const visit = async function* (
    folder: string,
    prefix: string,
    rules: readonly { readonly base: string; readonly rules: readonly IgnoreRule[] }[],
  ): AsyncGenerator<Found, boolean> {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (prefix === '') throw error;
      return [];
    });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const own = entries.some(({ name }) => name === '.gitignore') ? await readIgnore(join(folder, '.gitignore')) : [];
    const all = own.length === 0 ? rules : [...rules, { base: prefix, rules: own }];
    for (const entry of entries) {
      if (++seen > maxEntries) return true;
      if (alwaysIgnored.has(entry.name)) continue;
      const relative = `${prefix}${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isIgnored(relative, isFolder, all)) continue;
      const path = join(folder, entry.name);
      if (isFolder) {
        if (yield* visit(path, `${relative}/`, all)) return true;
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        yield { path, relative };
      }
    }
    return false;
  };
  return yield* visit(root, '', []);
}

function isIgnored(
  relative: string,
  isFolder: boolean,
  all: readonly { readonly base: string; readonly rules: readonly IgnoreRule[] }[],
): boolean {
  let ignored = false;
  for (const { base, rules } of all) {
    const within = relative.slice(base.length);
    for (const rule of rules) {
      if ((isFolder || !rule.folderOnly) && rule.fits(within)) ignored = !rule.negated;
    }
  }
  return ignored;
}

async function readIgnore(file: string): Promise<readonly IgnoreRule[]> {
  const read = await readRegular(file, 1_000_000).catch(() => undefined);
  return read === undefined ? [] : parseIgnore(read.bytes.toString('utf8'));
}

/** The rules of a `.gitignore`, the last of which that fits decides. */
function parseIgnore(text: string): readonly IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.replace(/(?<!\\)\s+$/, '');
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const negated = trimmed.startsWith('!');
    const pattern = negated ? trimmed.slice(1) : trimmed;
    const folderOnly = pattern.endsWith('/');
    const bare = folderOnly ? pattern.slice(0, -1) : pattern;
    // With a slash before its end a pattern is anchored at its file's folder; without, it fits at every depth.
    const anchored = bare.includes('/');
    const fits = picomatch(anchored ? bare.replace(/^\//, '') : `**/${bare}`, { dot: true, nonegate: true });
    return [{ negated, folderOnly, fits }];
  });
}
