import { statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { readBounded } from './source.ts';
import type { ModuleInputs } from './types.ts';

const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];
const MAX_MODULE_BYTES = 4 * 1024 * 1024;

/** Whether a file is JavaScript or TypeScript, whose imports can be followed. */
export const isScript = (file: string): boolean => extname(file) !== '.json' && EXTENSIONS.includes(extname(file));

/** The files a module imports by a relative path, as far as its text says so. A module that cannot be parsed names none. */
export const relativeImports: ModuleInputs = async (module) => {
  let text: string;
  try {
    text = (await readBounded(module, MAX_MODULE_BYTES)).toString('utf8');
  } catch {
    return [];
  }
  const names = await specifiers(module, text);
  return [...names].flatMap((name) => {
    const file = resolveImport(dirname(module), name);
    return file === undefined ? [] : [file];
  });
};

async function specifiers(file: string, text: string): Promise<Set<string>> {
  const { parseSync } = await import('oxc-parser');
  const { module } = parseSync(file, text);
  const names = new Set<string>();
  const add = (name: string | undefined) => {
    if (name !== undefined && /^\.{1,2}(\/|\\|$)/.test(name)) names.add(name);
  };
  for (const one of module.staticImports) add(one.moduleRequest.value);
  for (const one of module.staticExports) for (const entry of one.entries) add(entry.moduleRequest?.value);
  for (const one of module.dynamicImports)
    add(/^\s*(['"`])(.*)\1\s*$/s.exec(text.slice(one.moduleRequest.start, one.moduleRequest.end))?.[2]);
  for (const match of text.matchAll(/\brequire\s*\(\s*(['"`])(\.[^'"`\n]{0,1000})\1/g)) add(match[2]);
  return names;
}

/** As bundlers and Node resolve it: the name itself, with an extension, TypeScript behind a `.js`, an index file. */
function resolveImport(folder: string, name: string): string | undefined {
  const path = resolve(folder, name.replace(/[?#].*$/, ''));
  const typescript = path.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
  const candidates = [
    path,
    typescript,
    ...EXTENSIONS.map((extension) => `${path}${extension}`),
    ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ];
  return candidates.find(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
