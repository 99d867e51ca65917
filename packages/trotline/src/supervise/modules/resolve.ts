import { isBuiltin } from 'node:module';
import { dirname, extname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnResolveArgs, OnResolveResult, PluginBuild } from 'esbuild';
import { exists, locate, readRegular, sha256 } from './files.ts';
import type { External, Probe } from './types.ts';

/** How the bundle names the external with a given index. */
export const EXTERNAL = 'trotline-external:';

const MARK = Symbol('asked by the resolver itself');
const SOURCE = new Set(['.ts', '.tsx', '.mts', '.cts', '.jsx']);
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** TypeScript is imported under the name that it compiles to. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const MAX_MANIFEST_BYTES = 1024 * 1024;

export interface Resolver {
  readonly externals: External[];
  readonly probes: Map<string, string | null>;
}

/** Which code of the table an esbuild message stands for; carried in the message's `detail`. */
export interface Detail {
  readonly code: 'modules.not-found' | 'modules.missing-package';
  readonly specifier: string;
}

const problem = (code: Detail['code'], specifier: string, text: string): OnResolveResult => ({
  errors: [{ text, detail: { code, specifier } satisfies Detail }],
});

/**
 * Resolves every import of a module. Files are found by us, so that what decided is known and a cached bundle can be checked
 * against it; packages by the bundler, with the conditions that Node would use.
 */
export function installResolver(build: PluginBuild, virtual: ReadonlySet<string>): Resolver {
  const externals: External[] = [];
  const indexes = new Map<string, number>();
  const probes = new Map<string, string | null>();

  const external = (entry: External, asRequire: boolean): OnResolveResult => {
    const key = JSON.stringify([entry, asRequire]);
    let index = indexes.get(key);
    if (index === undefined) {
      index = externals.push(entry) - 1;
      indexes.set(key, index);
    }
    return { path: `${EXTERNAL}${index}`, external: true };
  };

  const resolveFile = async (path: string, specifier: string): Promise<OnResolveResult> => {
    for (const candidate of candidates(path, specifier)) {
      if (await exists(candidate)) return { path: await locate(candidate) };
      probes.set(candidate, null);
    }
    return problem('modules.not-found', specifier, `There is no file ${path}`);
  };

  const resolvePackage = async (args: OnResolveArgs): Promise<OnResolveResult> => {
    const entry = { specifier: args.path, importer: args.importer, kind: 'package' } as const;
    // Resolved when it runs, as Node does, so that `try { require('optional') } catch {}` works.
    if (args.kind === 'require-call') return external(entry, true);
    if (args.kind === 'require-resolve') return { path: args.path, external: true };
    const found = await build.resolve(args.path, {
      kind: args.kind,
      resolveDir: args.resolveDir,
      importer: args.importer,
      pluginData: MARK,
    });
    if (found.errors.length > 0 || found.path === '' || found.external) {
      if (args.kind === 'dynamic-import') return external(entry, false);
      return problem('modules.missing-package', args.path, `The package ${packageName(args.path)} is not installed`);
    }
    const path = await locate(found.path);
    for (const probe of await packageProbes(args.path, args.resolveDir, path)) probes.set(probe.path, probe.sha256);
    // Node cannot run TypeScript: a workspace package that exports its sources becomes part of the bundle.
    const bundled = SOURCE.has(extname(path)) || extname(path) === '.json' || args.path.startsWith('#');
    return bundled ? { path } : external({ ...entry, resolved: path }, false);
  };

  build.onResolve({ filter: /.*/ }, async (args): Promise<OnResolveResult | undefined> => {
    if (args.pluginData === MARK) return undefined;
    if (args.kind === 'entry-point') return { path: args.path };
    const specifier = args.path;
    const entry = { specifier, importer: args.importer };
    const asRequire = args.kind === 'require-call';
    if (virtual.has(specifier)) return external({ ...entry, kind: 'virtual' }, asRequire);
    if (args.kind !== 'require-resolve' && isBuiltin(specifier))
      return external({ ...entry, kind: 'builtin' }, asRequire);
    if (specifier.startsWith('file:')) return resolveFile(fileURLToPath(specifier), specifier);
    if (/^(\.{1,2}(\/|$)|\/)/.test(specifier)) return resolveFile(resolve(args.resolveDir, specifier), specifier);
    if (/^[a-z][a-z0-9+.-]+:/i.test(specifier)) {
      return {
        errors: [{ text: `An import of "${specifier.slice(0, 60)}" is not possible: name a file or a package` }],
      };
    }
    return resolvePackage(args);
  });
  return { externals, probes };
}

/** The files that an import may mean, first choice first. */
function candidates(path: string, specifier: string): string[] {
  const inFolder = EXTENSIONS.map((ext) => join(path, `index${ext}`));
  if (/(^|\/)\.{0,2}\/?$/.test(specifier)) return inFolder;
  const ext = extname(path);
  const stem = path.slice(0, path.length - ext.length);
  const sources = (WRITTEN_AS[ext] ?? []).map((other) => stem + other);
  return [path, ...sources, ...EXTENSIONS.map((other) => path + other), ...inFolder];
}

/** `@scope/name/file` → `@scope/name`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * What decided where a package was found: folders nearer to the importer that do not hold it, and the manifest that was read.
 */
async function packageProbes(specifier: string, from: string, resolved: string): Promise<Probe[]> {
  const found: Probe[] = [];
  const name = packageName(specifier);
  for (const folder of ancestors(from)) {
    const manifest = join(folder, 'node_modules', ...name.split('/'), 'package.json');
    const digest = await digestOf(manifest);
    found.push({ path: manifest, sha256: digest });
    if (digest !== null) return found;
  }
  // An alias of `imports` in the importer's own manifest, or a package without one.
  for (const folder of ancestors(dirname(resolved))) {
    const manifest = join(folder, 'package.json');
    const digest = await digestOf(manifest);
    if (digest === null) continue;
    found.push({ path: manifest, sha256: digest });
    break;
  }
  return found;
}

/** The SHA-256 of a small regular file, `null` where there is none. */
export async function digestOf(path: string): Promise<string | null> {
  const read = await readRegular(path, MAX_MANIFEST_BYTES).catch(() => undefined);
  return read === undefined ? null : sha256(read.bytes);
}

function* ancestors(folder: string): Generator<string> {
  const { root } = parse(folder);
  for (let at = folder; ; at = dirname(at)) {
    if (!at.endsWith(`${sep}node_modules`)) yield at;
    if (at === root) return;
  }
}
