import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { compileGlob } from './glob.ts';
import { realPath } from './realPath.ts';

/** One way to read a path, and everything it may mean. */
export interface PathReading {
  readonly given: string;
  readonly lexical: string;
  /** The files it may lead to; nothing in the place of one that nobody can find out, because its links go in a circle. */
  readonly targets: readonly (string | undefined)[];
}

/** A path as it is given, and where that is another one, as a shell would read its `~`. */
export type PathReadings = readonly [PathReading, ...PathReading[]];

/** A compiled pattern over paths. */
export interface PathPattern {
  /** The path as resolved and the file it leads to lie within the pattern. */
  allows(path: PathReadings): boolean;
  /** The path in any of its readings, or the file it leads to, lies within the pattern. */
  touches(path: PathReadings): boolean;
}

/** Finds out what a path may mean. This asks the file system, so that it is done once for a call and not once for a rule. */
export function readPath(path: string, cwd: string): PathReadings {
  const clean = path.replaceAll('\0', '');
  const as = (way: string, given = way): PathReading => {
    const lexical = resolve(cwd, way);
    // A tool may resolve `link/../x` by its letters or leave it to the system, which goes through the link first.
    const written = isAbsolute(way) ? way : `${resolve(cwd)}/${way}`;
    const targets = lexical === written ? [realPath(lexical)] : [realPath(lexical), realPath(written)];
    return { given, lexical, targets };
  };
  const home = clean === '~' || clean.startsWith('~/');
  return home ? [as(clean, path), as(join(homedir(), clean.slice(1)))] : [as(clean, path)];
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
    allows: ([{ given, lexical, targets }]) =>
      given !== '' &&
      !given.includes('\0') &&
      within(lexical) &&
      targets.every((to) => to !== undefined && asReal.test(fold(slashes(to)))),
    touches: (readings) =>
      readings.some(
        ({ given, lexical, targets }) =>
          asSpelt.test(fold(slashes(given))) ||
          within(lexical) ||
          targets.some((to) => to === undefined || within(to) || asSpelt.test(fold(slashes(to)))),
      ),
  };
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
