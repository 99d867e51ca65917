import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse } from 'node:path';

const maxLinks = 40;

/**
 * Where an absolute path leads, the way the system walks it: links followed, also one whose target does not exist yet, and `..` taken
 * from where a link led to. What is missing or may not be looked at is kept as written. Nothing where links go in a circle.
 */
export function realPath(path: string): string | undefined {
  const { root } = parse(path);
  const ahead = segments(path.slice(root.length));
  let at = root;
  let links = 0;
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const target = linkTarget(next);
    if (target === undefined) {
      at = next;
      continue;
    }
    if (++links > maxLinks) return undefined;
    if (isAbsolute(target)) at = parse(target).root;
    ahead.push(...segments(isAbsolute(target) ? target.slice(at.length) : target));
  }
  return at;
}

// Last first, so that the next one is popped and a link's own are pushed in front of the rest.
function segments(path: string): string[] {
  const separator = process.platform === 'win32' ? /[\\/]+/ : /\/+/;
  return path
    .split(separator)
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
