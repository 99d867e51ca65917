import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Engine, placeText } from '@trotline/engine';
import type { LoadedConfig, MergedHook } from '../config/index.ts';
import type { ModuleInput } from '../supervise/modules/index.ts';
import type { ModuleContext } from './moduleContext.ts';
import { ownerOf, prepareModule } from './modules.ts';
import { fromError } from './problems.ts';
import { standIn } from './standIn.ts';
import { ownerStates, type Standing } from './states.ts';
import type { LineProblem, OwnerState } from './types.ts';

/** A hook of a file that stands on the line, and how to take it off again. */
interface Seated extends Standing {
  readonly inputs: readonly ModuleInput[];
  /** A module that could not be loaded: mending it is worth a reload. */
  readonly faulty: readonly string[];
  remove(): Promise<void>;
}

/** Loaded, not yet on the line. */
interface Prepared {
  readonly hook: MergedHook;
  /** Synchronous, so that no call meets half of a change. */
  seat(): Seated;
  discard(): Promise<void>;
}

export interface HookSetContext extends ModuleContext {
  readonly engine: Engine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logDir: string;
  /** Start although a `closed` hook cannot: what it guards is denied. */
  readonly keepGoing: boolean;
  /** Open without what cannot start, and say so: for those who look for faults. */
  readonly tolerant: boolean;
}

export interface HookSet {
  /** Files of modules, to be watched. */
  readonly inputs: readonly string[];
  readonly states: readonly OwnerState[];
  readonly problems: readonly LineProblem[];
  /** Puts what `loaded` says on the line. Throws, and leaves the old set, when a `closed` hook cannot start. */
  apply(loaded: LoadedConfig, noHooks: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The hooks of all files on one engine; a change is staged whole before anything of the old set goes. */
export function createHookSet(context: HookSetContext): HookSet {
  const standing = new Map<string, Seated>();
  let accepted: { readonly loaded: LoadedConfig; readonly noHooks: boolean } | undefined;
  let problems: LineProblem[] = [];

  const apply = async (loaded: LoadedConfig, noHooks: boolean): Promise<void> => {
    const wanted = new Map(loaded.merged.hooks.filter((h) => h.enabled && !noHooks).map((h) => [h.name, h]));
    const fresh = new Map<string, Prepared>();
    const found: LineProblem[] = [];
    for (const [name, hook] of wanted) {
      const old = standing.get(name);
      if (old !== undefined && old.problem === undefined && (await unchanged(old, hook))) continue;
      try {
        fresh.set(name, await prepare(hook, context));
      } catch (error) {
        const closed = await guards(hook);
        const problem = fromError(error, closed && !context.keepGoing ? 'error' : 'warning', hook.place);
        found.push(problem);
        fresh.set(name, broken(hook, problem, closed, context));
      }
    }
    const seated = seatAll(fresh, found, context);
    if (seated === undefined) {
      await Promise.all([...fresh.values()].map((prepared) => prepared.discard()));
      throw new HooksDown(found);
    }
    const leaving = [...standing].filter(([name]) => !wanted.has(name) || seated.has(name));
    const gone = Promise.all(leaving.map(([, old]) => old.remove()));
    for (const [name] of leaving) standing.delete(name);
    for (const [name, hook] of seated) standing.set(name, hook);
    problems = found;
    accepted = { loaded, noHooks };
    await gone;
  };

  return {
    get inputs() {
      return [...standing.values()].flatMap((s) => [...s.inputs.map((i) => i.path), ...s.faulty]);
    },
    get states() {
      return accepted === undefined ? [] : ownerStates(accepted.loaded, standing, accepted.noHooks);
    },
    get problems() {
      return problems;
    },
    apply,
    close: async () => {
      await Promise.all([...standing.values()].map((s) => s.remove()));
      standing.clear();
    },
  };
}

/**
 * Puts all of a new set on the line in one synchronous stretch, beside the old one. Nothing stays, and nothing is returned, when it is
 * not to be taken: a hook that must block cannot start, or one cannot be seated.
 */
function seatAll(
  fresh: ReadonlyMap<string, Prepared>,
  found: LineProblem[],
  { tolerant }: HookSetContext,
): Map<string, Seated> | undefined {
  const seated = new Map<string, Seated>();
  for (const [name, prepared] of fresh) {
    try {
      seated.set(name, prepared.seat());
    } catch (error) {
      found.push(fromError(error, 'error', prepared.hook.place));
      void prepared.discard();
    }
  }
  if (tolerant || !found.some((p) => p.severity === 'error')) return seated;
  for (const hook of seated.values()) void hook.remove();
  return undefined;
}

/** A `closed` hook cannot start. */
export class HooksDown extends Error {
  readonly problems: readonly LineProblem[];

  constructor(problems: readonly LineProblem[]) {
    super(problems.map((p) => p.message).join('\n'));
    this.problems = problems;
  }
}

async function prepare(hook: MergedHook, context: HookSetContext): Promise<Prepared> {
  if (hook.kind === 'builtin') {
    const module = await prepareModule(hook, placeText(hook.place), context);
    return {
      hook,
      seat: () => {
        const owner = module.staged.seat(context.engine);
        return {
          hook,
          inputs: module.inputs,
          faulty: [],
          remove: async () => {
            owner.remove();
            module.dispose();
          },
        };
      },
      discard: async () => module.dispose(),
    };
  }
  const { preparePicoclawProcess } = await import('../dialects/picoclaw/index.ts');
  const process = await preparePicoclawProcess(hook, context);
  return {
    hook,
    seat: () => {
      const { health, close } = process.seat(context.engine);
      return { hook, inputs: [], faulty: [], health, remove: close };
    },
    discard: process.discard,
  };
}

/** In the place of a hook that cannot start: nothing for an open one; for a closed one a refusal of all that it guards. */
function broken(hook: MergedHook, problem: LineProblem, closed: boolean, context: HookSetContext): Prepared {
  return {
    hook,
    seat: () => {
      const realm = hook.kind === 'process' ? 'process' : 'inline';
      const spec = ownerOf(hook.name, hook.layer, placeText(hook.place), realm);
      const owner = closed ? standIn(context.engine, hook, spec, problem.message) : undefined;
      return {
        hook,
        inputs: [],
        faulty: hook.kind === 'builtin' && hook.module !== undefined ? [hook.module] : [],
        problem,
        remove: async () => owner?.remove(),
      };
    },
    discard: async () => undefined,
  };
}

/** Must it block when it fails? A process that approves does unless its entry says otherwise. */
async function guards(hook: MergedHook): Promise<boolean> {
  if (hook.kind === 'builtin') return hook.onError !== undefined && hook.onError !== 'open';
  const { isGuard } = await import('../dialects/picoclaw/index.ts');
  return isGuard(hook);
}

/** Is what stands the same hook, built from the same files? Its place in the file may have moved. */
async function unchanged(old: Seated, hook: MergedHook): Promise<boolean> {
  const plain = ({ place: _, ...rest }: MergedHook): string => JSON.stringify(rest);
  if (plain(old.hook) !== plain(hook)) return false;
  for (const { path, sha256 } of old.inputs) {
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256) return false;
  }
  return true;
}
