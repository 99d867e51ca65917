import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { compileGlob } from './glob.ts';
import { realPath } from './realPath.ts';

/** A compiled pattern over paths. */
export interface PathPattern {
  /** The path as given, as resolved, and the file it leads to all lie within the pattern. */
  allows(path: string): boolean;
  /** Any of the ways to say the path, or the file it leads to, lies within the pattern. */
  touches(path: string): boolean;
}

const windows = process.platform === 'win32';
const ignoreCase = windows || process.platform === 'darwin';

/**
 * Compiles a pattern over paths. A relative one counts from `cwd`, `~/` from the home folder; one that begins with `*` stands for any
 * folder. Links in the folders that the rule's writer named (and `cwd`) are followed now, once; a link met later leads where it leads.
 */
export function compilePath(pattern: string, cwd: string): PathPattern {
  const spelt = slashes(pattern);
  const { given, real } = anchor(spelt, resolve(cwd));
  const asGiven = compileGlob(fold(given));
  const asReal = compileGlob(fold(real));
  const asSpelt = compileGlob(fold(spelt));
  const within = (path: string) => asGiven.test(fold(slashes(path))) || asReal.test(fold(slashes(path)));
  return {
    allows: (path) => {
      if (path === '' || path.includes('\0')) return false;
      const { lexical, targets } = ways(path, cwd);
      return within(lexical) && targets.every((to) => to !== undefined && asReal.test(fold(slashes(to))));
    },
    touches: (path) => {
      const clean = path.replaceAll('\0', '');
      const spellings = clean === '~' || clean.startsWith('~/') ? [clean, join(homedir(), clean.slice(1))] : [clean];
      return spellings.some((spelling) => {
        const { lexical, targets } = ways(spelling, cwd);
        // Where links go in a circle nobody can say where the path leads.
        return (
          asSpelt.test(fold(slashes(spelling))) ||
          within(lexical) ||
          targets.some((to) => to === undefined || within(to) || asSpelt.test(fold(slashes(to))))
        );
      });
    },
  };
}

// A tool may resolve `link/../x` by its letters or leave it to the system, which goes through the link first.
function ways(path: string, cwd: string): { lexical: string; targets: (string | undefined)[] } {
  const lexical = resolve(cwd, path);
  const written = isAbsolute(path) ? path : `${resolve(cwd)}/${path}`;
  return { lexical, targets: [realPath(lexical), realPath(written)] };
}

function anchor(pattern: string, cwd: string): { given: string; real: string } {
  if (pattern.startsWith('*')) return { given: pattern, real: pattern };
  const home = pattern === '~' || pattern.startsWith('~/');
  const absolute = home ? `${homedir()}/${pattern.slice(2)}` : pattern;
  // Only the folders in front of the first star can be resolved; `..` behind one would never match anything anyway.
  const star = absolute.indexOf('*');
  const cut = star < 0 ? absolute.length : absolute.lastIndexOf('/', star) + 1;
  const folder = resolve(cwd, absolute.slice(0, cut));
  const rest = absolute.slice(cut);
  const inside = !isAbsolute(absolute) && (folder === cwd || folder.startsWith(`${cwd}/`));
  const realFolder = inside ? `${realPath(cwd) ?? cwd}${folder.slice(cwd.length)}` : (realPath(folder) ?? folder);
  const put = (to: string) => slashes(star < 0 ? to : `${to.replace(/[\\/]$/, '')}/${rest}`);
  return { given: put(folder), real: put(realFolder) };
}

const slashes = (path: string): string => (windows ? path.replaceAll('\\', '/') : path);

const fold = (path: string): string => (ignoreCase ? path.normalize('NFC').toLowerCase() : path);
