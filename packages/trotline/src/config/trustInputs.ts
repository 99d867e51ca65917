import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { sourceLists } from './content.ts';
import { isScript, relativeImports } from './imports.ts';
import type { LayerRead } from './layer.ts';
import { isInside, realOf } from './paths.ts';
import { readBounded } from './source.ts';
import type { ModuleInputs } from './types.ts';

const MAX_FILES = 2000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The digest of every file that trust in a project covers: its configuration with what it extends, the modules it names with what they
 * import by relative paths, the scripts inside the project that its commands name, and all files of its extensions, mods and settings.
 * Absent when there are more than one trust can cover. What a script in another language loads by itself is not covered.
 */
export async function trustInputs(
  layer: LayerRead,
  moduleInputs: ModuleInputs = relativeImports,
): Promise<Readonly<Record<string, string>> | undefined> {
  const digests: Record<string, string> = { ...layer.hashes };
  let count = Object.keys(digests).length;
  let bytes = 0;

  async function add(path: string, follow: boolean): Promise<boolean> {
    if (Object.hasOwn(digests, path)) return true;
    if (count >= MAX_FILES) return false;
    let content: Buffer;
    try {
      content = await readBounded(path, MAX_BYTES - bytes);
    } catch (error) {
      // What cannot be read cannot run either; should it become readable, it is a file that was never trusted.
      return !(error instanceof RangeError);
    }
    count += 1;
    bytes += content.length;
    digests[path] = createHash('sha256').update(content).digest('hex');
    if (follow && isScript(path))
      for (const file of await moduleInputs(path)) if (!(await add(resolve(file), true))) return false;
    return true;
  }

  async function addTree(path: string, visited: ReadonlySet<string>): Promise<boolean> {
    const real = realOf(path);
    if (kindOf(path) === 'file') return add(path, false);
    if (kindOf(path) !== 'folder' || visited.has(real)) return true;
    if (visited.size > 32) return false;
    const names = (await readdir(path).catch(() => [])).sort();
    for (const name of names)
      if (name !== '.git' && !(await addTree(join(path, name), new Set([...visited, real])))) return false;
    return true;
  }

  for (const path of scriptsOf(layer)) if (!(await add(path, true))) return undefined;
  for (const list of sourceLists)
    for (const entry of layer.content[list]) if (!(await addTree(entry.path, new Set()))) return undefined;
  return digests;
}

/** Modules, and those words of commands that are files inside the project. */
function scriptsOf({ root, content: { hooks, mcpServers } }: LayerRead): string[] {
  const words = ({ command, dir }: { readonly command: readonly string[]; readonly dir: string }): string[] =>
    command
      .filter((word) => word.length < 4096 && !word.includes('\0'))
      .map((word) => (isAbsolute(word) ? word : resolve(dir, word)))
      .filter((path) => kindOf(path) === 'file' && isInside(root, realOf(path)));
  const ofHooks = hooks.flatMap((hook) =>
    hook.kind === 'process' ? words(hook) : hook.module === undefined ? [] : [hook.module],
  );
  return [...ofHooks, ...mcpServers.flatMap(words)];
}

function kindOf(path: string): 'file' | 'folder' | 'other' {
  try {
    const stat = statSync(path);
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}
