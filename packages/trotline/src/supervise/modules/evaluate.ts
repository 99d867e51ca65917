import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TrotlineError } from '@trotline/engine';
import { bundlePath } from './bundle.ts';
import type { Counter } from './guard.ts';
import { EXTERNAL } from './resolve.ts';
import type { Bundle, External, ModuleExports } from './types.ts';

type Body = (host: object, counter: Counter) => Promise<readonly [ModuleExports]>;

/** The part of Node's CommonJS loader that is public by long use and not in its types. */
interface CompilableModule {
  filename: string;
  paths: string[];
  exports: unknown;
  require(id: string): unknown;
  _compile(code: string, filename: string, format: string): void;
}

/** A module whose packages are loaded and whose own code has not run yet. */
export interface Prepared {
  readonly run: (counter: Counter) => Promise<readonly [ModuleExports]>;
}

/**
 * Makes a bundle ready to run. Nothing is put into a cache of Node's: a module that is let go of is freed, and loading it again
 * runs it again. Errors: `modules.missing-package`, and whatever an imported package throws.
 */
export async function prepare(
  bundle: Bundle,
  entry: string,
  virtual: Readonly<Record<string, object>>,
): Promise<Prepared> {
  const filename = bundlePath(entry);
  const compiled = new Module(filename) as unknown as CompilableModule;
  compiled.filename = filename;
  compiled.paths = (Module as unknown as { _nodeModulePaths(from: string): string[] })._nodeModulePaths(dirname(entry));
  const namespaces = new Map<number, object>();
  const requireHere = createRequire(entry);

  compiled.require = function ask(id) {
    if (!id.startsWith(EXTERNAL)) return requireHere(id);
    const { kind, specifier, importer } = externalAt(bundle, Number(id.slice(EXTERNAL.length)));
    if (kind === 'virtual') return virtual[specifier];
    try {
      return createRequire(importer)(specifier);
    } catch (error) {
      // Node's own frames would push the line that asks out of the stack.
      if ((error as NodeJS.ErrnoException | null)?.code === 'MODULE_NOT_FOUND')
        Error.captureStackTrace(error as Error, ask);
      throw error;
    }
  };
  compiled._compile(bundle.code, filename, 'commonjs');
  const [needed, body] = compiled.exports as readonly [readonly number[], Body];
  for (const index of needed) namespaces.set(index, await load(externalAt(bundle, index), virtual));

  const host = {
    /** A binding that was imported by name. */
    pick: (index: number, name: string): unknown => pick(externalAt(bundle, index), namespaces.get(index) ?? {}, name),
    star: (index: number): object => namespaces.get(index) ?? {},
    all: (index: number): object => namespaces.get(index) ?? {},
    load: (index: number): Promise<object> => load(externalAt(bundle, index), virtual),
    meta,
    namespace,
  };
  return { run: (counter) => body(host, counter) };
}

const externalAt = (bundle: Bundle, index: number): External => bundle.externals[index]!;

async function load(external: External, virtual: Readonly<Record<string, object>>): Promise<object> {
  const { kind, specifier, importer, resolved } = external;
  if (kind === 'virtual') return virtual[specifier] ?? {};
  if (kind === 'builtin') return import(specifier);
  const path = resolved ?? createRequire(importer).resolve(specifier);
  // Node imports neither of these without a flag or an attribute.
  if (path.endsWith('.node') || path.endsWith('.json')) return { default: createRequire(importer)(path) };
  return import(pathToFileURL(path).href);
}

function pick(external: External, namespace: object, name: string): unknown {
  if (name in namespace) return (namespace as Record<string, unknown>)[name];
  // Of a CommonJS package Node finds only the names that it can read without running it; the others are on `default`.
  const whole = (namespace as { default?: unknown }).default;
  if (typeof whole === 'object' || typeof whole === 'function') {
    if (whole !== null && name in whole) return (whole as Record<string, unknown>)[name];
  }
  if (name === 'default' && external.kind === 'virtual') return namespace;
  throw new TrotlineError('modules.missing-export', {
    file: external.importer,
    what: `"${external.specifier}" has no export named "${name}"`,
  });
}

function meta(url: string): object {
  const filename = fileURLToPath(url);
  return {
    __proto__: null,
    url,
    filename,
    dirname: dirname(filename),
    resolve: (specifier: string): string => {
      const found = createRequire(filename).resolve(specifier);
      return found.startsWith('/') || /^[a-z]:\\/i.test(found) ? pathToFileURL(found).href : found;
    },
  };
}

type Getters = readonly (readonly [string, () => unknown])[];

/**
 * The exports as `import` gives them: live, read-only, without a prototype. In an array, because a module may export `then`, and
 * what an async function returns must not be taken for a promise.
 */
function namespace(getters: Getters, stars: readonly object[], isCommonJs: boolean): readonly [ModuleExports] {
  const exports = Object.create(null) as Record<string, unknown>;
  const define = (name: string, get: () => unknown): void => {
    if (!(name in exports)) Object.defineProperty(exports, name, { enumerable: true, get });
  };
  for (const [name, get] of getters) define(name, get);
  for (const star of stars) {
    for (const name of Object.keys(star)) if (name !== 'default') define(name, () => (star as ModuleExports)[name]);
  }
  const whole = isCommonJs ? exports['default'] : undefined;
  if ((typeof whole === 'object' || typeof whole === 'function') && whole !== null) return [commonJs(whole)];
  return [Object.freeze(exports)];
}

/** `module.exports` as `import` gives it: whole as `default`, and each of its properties by name. */
function commonJs(whole: object): ModuleExports {
  const exports = Object.create(null) as Record<string, unknown>;
  const transpiled = '__esModule' in whole;
  for (const name of Object.keys(whole)) {
    if (name !== 'default' || transpiled) exports[name] = (whole as Record<string, unknown>)[name];
  }
  if (!transpiled) exports['default'] = whole;
  return Object.freeze(exports);
}
