import { basename, dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TrotlineError } from '@trotline/engine';
import type { BuildOptions, BuildResult, Loader, Plugin } from 'esbuild';
import { buildError, excerpt, isBuildFailure } from './failures.ts';
import { readSource } from './files.ts';
import { HOST, instrument } from './instrument.ts';
import { installResolver, type Resolver } from './resolve.ts';
import type { Bundle, GuardPlace } from './types.ts';
import { wrap } from './wrap.ts';

export interface BundleOptions {
  readonly virtual: readonly string[];
  readonly guards: boolean;
  readonly jsxImportSource: string | undefined;
}

const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.json': 'json',
};
/** Endings that an entry may have. */
export const isModuleFile = (file: string): boolean => extname(file) in LOADERS && extname(file) !== '.json';

const MAX_FILES = 2_000;
const MAX_TOTAL = 16 * 1024 * 1024;

/** The file name under which a bundle runs. It never exists: it only tells bundled frames from mapped ones. */
export const bundlePath = (entry: string): string => `${entry}.bundle.cjs`;

let building = 0;

/**
 * Compiles an entry file and all files that it imports into one script.
 * Errors: `modules.does-not-compile`, `modules.not-found`, `modules.unreadable`, `modules.missing-package`.
 */
export async function bundle(entry: string, options: BundleOptions): Promise<Bundle> {
  const esbuild = await import('esbuild');
  building++;
  try {
    try {
      return await attempt(esbuild.build, entry, options, true);
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      // The same again without guards, so that the message speaks of the line as it was written.
      await attempt(esbuild.build, entry, options, false);
      throw error;
    }
  } catch (error) {
    throw isBuildFailure(error) ? buildError(entry, error.errors) : error;
  } finally {
    // The helper process of the bundler would outlive the load; another load may be in the middle of using it.
    if (--building === 0) await esbuild.stop();
  }
}

type Build = (options: BuildOptions & { metafile: true }) => Promise<BuildResult<{ metafile: true }>>;

async function attempt(build: Build, entry: string, options: BundleOptions, instrumented: boolean): Promise<Bundle> {
  const sources = new Map<string, string>();
  const places: GuardPlace[] = [];
  // Ours are more exact than what comes back from the bundler.
  const problems: TrotlineError[] = [];
  let resolver: Resolver | undefined;
  let total = 0;
  // Paths would come back as URLs, escaped in more than one way.
  const sourceNames = new Map<string, string>();
  const nameSource = (path: string): string => {
    const name = `source-${sourceNames.size}`;
    sourceNames.set(name, pathToFileURL(path).href);
    return name;
  };

  const plugin: Plugin = {
    name: 'trotline',
    setup(setup) {
      resolver = installResolver(setup, new Set(options.virtual));
      setup.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path }) => {
        try {
          const source = await readSource(path);
          sources.set(path, source.sha256);
          total += source.text.length;
          if (sources.size > MAX_FILES || total > MAX_TOTAL) throw tooMuch(path);
          const loader = LOADERS[extname(path)];
          if (loader === undefined) throw unknownKind(path);
          if (source.text.includes(HOST)) throw reserved(path);
          if (!instrumented || loader === 'json') return { contents: source.text, loader };
          const result = await instrument(path, source.text, {
            guards: options.guards,
            places,
            sourceName: nameSource(path),
          });
          if (result.refused !== undefined) problems.push(refused(path, source.text, result.refused));
          return { contents: result.code, loader };
        } catch (error) {
          if (!(error instanceof TrotlineError)) throw error;
          problems.unshift(error);
          return { errors: [{ text: error.message }] };
        }
      });
    },
  };

  let output: BuildResult<{ metafile: true }>;
  try {
    output = await build(settings(entry, options, plugin));
  } catch (error) {
    // A file that the guards could not read and the bundler could not either: the bundler's message is the better one.
    const own = problems.find((problem) => problem.code !== 'modules.does-not-compile');
    throw own ?? error;
  }
  if (problems[0] !== undefined) throw problems[0];
  const text = (end: string): string => output.outputFiles?.find((file) => file.path.endsWith(end))?.text ?? '';
  const externals = resolver?.externals ?? [];
  const isCommonJs = formatOf(output, entry) === 'cjs';
  const code = await wrap(text('.cjs'), absoluteMap(text('.map'), sourceNames), isCommonJs);
  const inputs = [...sources].map(([path, sha256]) => ({ path, sha256 }));
  inputs.sort((a, b) => Number(b.path === entry) - Number(a.path === entry) || (a.path < b.path ? -1 : 1));
  const probes = [...(resolver?.probes ?? [])].map(([path, sha256]) => ({ path, sha256 }));
  return { code, inputs, probes, externals, places };
}

const settings = (entry: string, options: BundleOptions, plugin: Plugin): BuildOptions & { metafile: true } => ({
  entryPoints: [entry],
  outfile: bundlePath(entry),
  absWorkingDir: dirname(entry),
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'silent',
  keepNames: false,
  // What decides is in the files listed as inputs: no tsconfig, no conditions of the bundler's own.
  tsconfigRaw: {},
  mainFields: ['main'],
  conditions: ['node-addons', 'module-sync'],
  jsx: 'automatic',
  ...(options.jsxImportSource === undefined ? {} : { jsxImportSource: options.jsxImportSource }),
  plugins: [plugin],
});

function formatOf(output: BuildResult<{ metafile: true }>, entry: string): 'cjs' | 'esm' | undefined {
  const found = Object.entries(output.metafile.inputs).find(([path]) => resolve(dirname(entry), path) === entry);
  return found?.[1].format;
}

/** The source map with the URLs of the files in place of the names that stood for them. */
function absoluteMap(json: string, names: ReadonlyMap<string, string>): { mappings: string; sources: string[] } {
  const map = JSON.parse(json) as { mappings: string; sources: string[]; names: string[]; version: number };
  return { ...map, sources: map.sources.map((source) => names.get(basename(source)) ?? source) };
}

const reserved = (file: string): TrotlineError =>
  new TrotlineError('modules.does-not-compile', {
    file,
    what: `It contains the name ${HOST}, which compiled hooks use to reach their host`,
    remedy: 'Choose another name.',
  });

const unknownKind = (file: string): TrotlineError =>
  new TrotlineError('modules.unreadable', {
    file,
    what: `A file that ends in "${extname(file)}" cannot be part of a module`,
  });

const tooMuch = (file: string): TrotlineError =>
  new TrotlineError('modules.unreadable', {
    file,
    what: `With this file the module has more than ${MAX_FILES} files or ${MAX_TOTAL / 1024 / 1024} MB of source`,
    remedy: 'Keep a hook small, and install what it uses as a package: packages are not bundled.',
  });

const refused = (file: string, source: string, at: { text: string; line: number; column: number }): TrotlineError =>
  new TrotlineError('modules.does-not-compile', {
    file,
    line: at.line,
    column: at.column,
    what: `${at.text}: ${excerpt(source.split('\n')[at.line - 1] ?? '')}`,
  });
