import { resolve } from 'node:path';
import { setTimeout } from 'node:timers';
import { TrotlineError } from '@trotline/engine';
import { bundle, isModuleFile } from './bundle.ts';
import { openCache } from './cache.ts';
import { prepare } from './evaluate.ts';
import { missingPackage } from './failures.ts';
import { locate, MAX_SOURCE_BYTES, readRegular, sha256 } from './files.ts';
import { createGuard } from './guard.ts';
import { messageOf, placeIn, type SourcePlace } from './places.ts';
import { watchBuiltins } from './tamper.ts';
import type { Bundle, LoadedModule, LoadOptions, ModuleExports, ModuleNote } from './types.ts';
import { versions } from './versions.ts';

const DEFAULT_BUDGET_MS = 1_000;
const DEFAULT_LOAD_MS = 10_000;

/**
 * Loads a TypeScript or JavaScript file of a person's own and runs its top level, in this thread. The file is compiled together
 * with the files that it imports; packages stay outside. Every loop and function in it carries a guard.
 *
 * Loading the same file again gives a new, independent instance.
 *
 * @throws {TrotlineError} `modules.not-found`, `modules.unreadable`, `modules.does-not-compile`, `modules.missing-package`,
 *   `modules.missing-export`, `modules.threw`, `modules.busy-loop`, `modules.load-timeout`, `modules.no-hook`; and whatever
 *   `beforeRun` throws.
 */
export async function loadModule(file: string, options: LoadOptions = {}): Promise<LoadedModule> {
  const notes: ModuleNote[] = [];
  const entry = await locate(resolve(file));
  if (!isModuleFile(entry)) await refuseEntry(entry);
  const { bundled, fromCache } = await compile(entry, options, (note) => notes.push(note));
  await options.beforeRun?.(bundled.inputs);
  // Also for the errors of hooks later on: without it their stacks speak of the bundle.
  process.setSourceMapsEnabled(true);

  let stopped: TrotlineError | undefined;
  let loading = true;
  const budgetMs = options.guard?.budgetMs ?? DEFAULT_BUDGET_MS;
  const guard = createGuard(bundled.places, budgetMs, (error) => {
    if (loading) stopped = error;
    options.guard?.onStopped?.(error);
  });
  const placeOf = (error: unknown): SourcePlace | undefined => placeIn(entry, bundled.inputs, error);
  const changed = watchBuiltins();
  let exports: ModuleExports;
  try {
    const limit = options.loadTimeoutMs ?? DEFAULT_LOAD_MS;
    [exports] = await within(limit, entry, async () => {
      const prepared = await prepare(bundled, entry, options.virtual ?? {});
      return guard.withBudget(budgetMs, () => prepared.run(guard.counter));
    });
    if (stopped !== undefined) throw stopped;
  } catch (error) {
    throw loadError(entry, error, placeOf(error));
  } finally {
    loading = false;
  }
  const tampered = changed();
  if (tampered.length > 0) {
    const text = `${tampered.slice(0, 10).join(', ')} changed while ${entry} was loaded`;
    notes.push({ code: 'modules.tampered', text });
  }
  if (Object.keys(exports).length === 0) {
    throw new TrotlineError('modules.no-hook', { file: entry, what: 'The module exports nothing' });
  }
  const empty: ModuleExports = Object.freeze(Object.create(null) as ModuleExports);
  return {
    get exports() {
      return exports;
    },
    inputs: bundled.inputs,
    fromCache,
    notes,
    withBudget: guard.withBudget,
    outsideBudget: guard.outsideBudget,
    placeOf,
    dispose: () => {
      exports = empty;
    },
  };
}

async function compile(
  entry: string,
  options: LoadOptions,
  note: (note: ModuleNote) => void,
): Promise<{ bundled: Bundle; fromCache: boolean }> {
  const settings = {
    virtual: Object.keys(options.virtual ?? {}).sort(),
    guards: options.guard?.enabled ?? true,
    jsxImportSource: options.jsx?.importSource,
  };
  const cache = options.cacheDir === undefined ? undefined : await openCache(options.cacheDir, note);
  const key = sha256(JSON.stringify([entry, settings, versions()]));
  const cached = await cache?.read(key);
  if (cached !== undefined) return { bundled: cached, fromCache: true };
  const bundled = await bundle(entry, settings);
  await cache?.write(key, bundled);
  return { bundled, fromCache: false };
}

/** Says what is wrong with an entry that has no ending of a module: first whatever makes it no file at all. */
async function refuseEntry(entry: string): Promise<never> {
  await readRegular(entry, MAX_SOURCE_BYTES);
  throw new TrotlineError('modules.unreadable', {
    file: entry,
    what: 'The name of the file does not end like a module',
    expected: '.ts, .tsx, .mts, .cts, .js, .jsx, .mjs or .cjs',
  });
}

async function within<T>(ms: number, file: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const what = `Its top level was still waiting after ${ms.toLocaleString('en')} ms`;
      reject(new TrotlineError('modules.load-timeout', { file, what }));
    }, ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function loadError(entry: string, error: unknown, place: SourcePlace | undefined): TrotlineError {
  const at = place ?? { file: entry };
  const missing = missingName(error);
  if (missing instanceof TrotlineError) return missing;
  if (missing !== undefined) return missingPackage(missing, at);
  return new TrotlineError('modules.threw', { ...at, what: `It threw ${messageOf(error)}`, cause: error });
}

/** The package that Node did not find, or the error itself where it is one of ours. Whatever was thrown, this does not throw. */
function missingName(error: unknown): string | TrotlineError | undefined {
  try {
    if (error instanceof TrotlineError) return error;
    const { code } = error as { code?: unknown };
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined;
    const name = /Cannot find (?:module|package) '([^']+)'/.exec(messageOf(error))?.[1];
    return name === undefined || /^[./]/.test(name) ? undefined : name;
  } catch {
    return undefined;
  }
}
