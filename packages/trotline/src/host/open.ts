import { join, resolve } from 'node:path';
import { createEngine, TrotlineError } from '@trotline/engine';
import { hasErrors, type LoadedConfig, loadConfig, watchConfig } from '../config/index.ts';
import { envOps, fsOps, httpOps, processOps, storeOps, uiOps } from '../ops/index.ts';
import { createRecorder, openRecords, type Records } from '../records/index.ts';
import { createLineGate } from './gate.ts';
import { createHookSet, HooksDown } from './hooks.ts';
import { cannotOpen, fromConfig, fromError } from './problems.ts';
import { checkTrust } from './trusted.ts';
import type { Line, LineProblem, OpenLineOptions } from './types.ts';

/**
 * Opens a line with everyone's hooks on it: reads the managed, the person's and the project's configuration, seats their hooks,
 * and answers permission questions by their rules. Nothing of a project starts before its content was trusted.
 *
 * Throws `host.configuration` (with `problems`) when a file has errors, `host.closed-hook-down` when a hook that must block
 * cannot start, `host.trust-changed` when a project that was trusted has changed, `host.no-hooks-refused`, and the codes of `records.*`.
 */
export async function openLine(options: OpenLineOptions = {}): Promise<Line> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const workdir = resolve(options.workdir ?? cwd);
  const env: Record<string, string | undefined> = { ...(options.env ?? process.env) };
  const noHooks = options.noHooks === true;
  const show = options.show ?? (() => undefined);

  let loaded = await loadConfig({ cwd, env, ...loadOptions(options) });
  refuseUnderManaged(loaded, noHooks);
  if (options.tolerant !== true) refuseChanged(loaded);
  if (hasErrors(loaded) && options.tolerant !== true) throw cannotOpen('host.configuration', problemsOf(loaded));

  const records = await openRecords({ dir: loaded.merged.records.dir ?? join(loaded.home, 'state'), env });
  const engine = createEngine({
    gate: createLineGate({
      cwd: workdir,
      config: () => loaded.merged,
      records,
      allow: options.allow ?? [],
      asker: options.asker,
    }),
    recorder: createRecorder(records),
    answered: loaded.merged.approvals.answered,
    loosening: loaded.merged.managed.hooksMayOverrideDeny,
    ops: {
      ...fsOps(workdir),
      ...processOps(workdir, env),
      ...httpOps,
      ...envOps(env),
      ...storeOps(join(loaded.home, 'store')),
      ...uiOps(show),
      'session.cwd': () => workdir,
      ...options.ops,
    },
  });
  const hooks = createHookSet({
    engine,
    cwd,
    env,
    cacheDir: join(loaded.home, 'cache'),
    logDir: join(loaded.home, 'logs'),
    factories: options.builtins ?? {},
    keepGoing: options.keepGoing === true,
    tolerant: options.tolerant === true,
    beforeRun: (hook, inputs) => checkTrust(loaded, hook, inputs),
    print: (name, text) => show({ by: name, kind: 'log', text }),
  });
  let watching: { close(): void } | undefined;
  let closed = false;
  // One after the other, so that no reload works on a set that another is replacing.
  let turn: Promise<unknown> = Promise.resolve();
  const close = async (): Promise<void> => {
    closed = true;
    watching?.close();
    // No call is without its hooks: they go when what ran has ended and nothing more begins.
    await engine.close();
    await turn;
    await hooks.close();
    await records.close();
  };

  try {
    await hooks.apply(loaded, noHooks);
    if (noHooks) await recordNoHooks(records, options.sessionId);
  } catch (error) {
    await close();
    throw error instanceof HooksDown ? cannotOpen('host.closed-hook-down', error.problems) : error;
  }

  let refused: readonly LineProblem[] = [];
  const take = async (next: LoadedConfig): ReturnType<Line['reload']> => {
    const previous = loaded;
    try {
      refuseUnderManaged(next, noHooks);
      refuseChanged(next);
      if (hasErrors(next)) throw new HooksDown(problemsOf(next));
      loaded = next;
      await hooks.apply(next, noHooks);
      refused = [];
      return { changed: true, problems: [...problemsOf(next), ...hooks.problems] };
    } catch (error) {
      loaded = previous;
      if (!(error instanceof HooksDown || error instanceof TrotlineError)) throw error;
      refused = error instanceof HooksDown ? error.problems : [fromError(error, 'error')];
      show({
        by: 'trotline',
        kind: 'log',
        text: `The new configuration was not taken; the old hooks stand. ${error.message}`,
      });
      return { changed: false, problems: refused };
    }
  };
  const inTurn = (load: () => LoadedConfig | Promise<LoadedConfig>): ReturnType<Line['reload']> => {
    const reload = turn.then(async () => (closed ? { changed: false, problems: [] } : take(await load())));
    turn = reload.catch(() => undefined);
    return reload;
  };
  if (options.watch === true) {
    watching = watchConfig(loaded, (next) => {
      inTurn(() => next).catch((error: Error) => show({ by: 'trotline', kind: 'log', text: error.message }));
    });
  }

  return Object.freeze({
    ...engine,
    cwd: workdir,
    records,
    get config() {
      return loaded.merged;
    },
    get owners() {
      return hooks.states;
    },
    get problems() {
      return [...problemsOf(loaded), ...hooks.problems, ...refused];
    },
    reload: () => inTurn(() => loadConfig(loaded.options)),
    close,
  });
}

/** What the files ask for and this version does not run is said, never dropped. */
function notRun({ extensions, mods, settings }: LoadedConfig['merged']): LineProblem[] {
  return [...extensions, ...mods, ...settings]
    .filter((source) => source.enabled)
    .map(({ name, path, place }) =>
      fromError(
        new TrotlineError('host.not-run', { what: `"${name}" (${path}) is read and not run`, ...place }),
        'warning',
      ),
    );
}

const loadOptions = ({ config, home, managedFile, trust }: OpenLineOptions) => ({
  ...(config === undefined ? {} : { configFile: config }),
  ...(home === undefined ? {} : { home }),
  ...(managedFile === undefined ? {} : { managedFile }),
  ...(trust === true ? { trustOnce: true } : {}),
});

const problemsOf = (loaded: LoadedConfig): LineProblem[] => [
  ...[...loaded.problems, ...loaded.notices].map(fromConfig),
  ...notRun(loaded.merged),
];

function refuseUnderManaged(loaded: LoadedConfig, noHooks: boolean): void {
  const managed = loaded.layers.find((layer) => layer.name === 'managed');
  if (noHooks && managed !== undefined) {
    throw new TrotlineError('host.no-hooks-refused', { what: 'hooks cannot be switched off', file: managed.file });
  }
}

/**
 * A project that was trusted and is different now: its guards would be off without anybody having decided so, and it may be the
 * agent itself who changed it. One that was never trusted is told as a warning, and applies in nothing.
 */
function refuseChanged(loaded: LoadedConfig): void {
  const layer = loaded.layers.find(({ trust }) => trust === 'changed');
  if (layer === undefined) return;
  throw new TrotlineError('host.trust-changed', {
    what: `this project was trusted and has changed since: ${layer.changed.slice(0, 10).join(', ') || layer.file}`,
    file: layer.file,
  });
}

/** Running without hooks is a decision of the person like any other, and stands in the record. */
async function recordNoHooks(records: Records, session: string | undefined): Promise<void> {
  const at = Date.now();
  await records.decisions.decided({
    id: `no-hooks-${at}-${process.pid}`,
    at,
    tool: '--no-hooks',
    toolUseId: '',
    input: {},
    decision: 'allow',
    source: { kind: 'person', name: 'the command line' },
    reason: 'every hook of every file was switched off for this run',
    ...(session === undefined ? {} : { session }),
  });
}
