import { basename } from 'node:path';
import * as engineModule from '@trotline/engine';
import { isControl, type OwnerSpec, type Registration, TrotlineError } from '@trotline/engine';
import type { BuiltinHook, LayerName } from '../config/index.ts';
import { type LoadedModule, loadModule, type ModuleInput } from '../supervise/modules/index.ts';
import type { ModuleContext } from './moduleContext.ts';
import { type Register, type Staged, type StageOptions, stage } from './stage.ts';

/** A builtin that is loaded and registered, and not yet on the line. */
export interface PreparedModule {
  readonly staged: Staged;
  /** Every file that went into it, for trust and for watching. */
  readonly inputs: readonly ModuleInput[];
  dispose(): void;
}

/** Where a layer's hooks stand: the managed file outermost, then the person's, then a project's. */
export function ownerOf(name: string, layer: LayerName, place: string, realm: OwnerSpec['realm']): OwnerSpec {
  return {
    name,
    tier: layer === 'managed' ? 'prepend' : 'user',
    source: layer === 'project' ? 'project' : 'person',
    lane: realm === 'process' ? 'process' : 'in-process',
    realm: realm ?? 'inline',
    place,
  };
}

/** Loads a builtin's module (or takes the program's factory) and runs its `register`. Nothing is seated yet. */
export async function prepareModule(hook: BuiltinHook, place: string, context: ModuleContext): Promise<PreparedModule> {
  const config = isRecord(hook.config) ? hook.config : {};
  const { module } = hook;
  if (module === undefined) {
    return {
      staged: await stage(factoryOf(hook, context), config, optionsOf(hook, place, 'inline')),
      inputs: [],
      dispose: noop,
    };
  }
  if (hook.worker === true || hook.worker === 'own') {
    const { workerRegister } = await import('./worker.ts');
    const { worker, register } = await workerRegister({ ...hook, module }, config, context);
    const staged = await stage(register, config, optionsOf(hook, place, 'worker'));
    return { staged, inputs: worker.inputs, dispose: () => void worker.close() };
  }
  return prepareInline({ ...hook, module }, place, config, context);
}

const noop = (): void => undefined;

function optionsOf(hook: BuiltinHook, place: string, realm: 'inline' | 'worker'): StageOptions {
  return {
    owner: ownerOf(hook.name, hook.layer, place, realm),
    defaults: {
      name: hook.name,
      priority: hook.priority,
      budgetMs: hook.timeouts.interceptorMs,
      ...(hook.onError === undefined || hook.onError === 'abort' ? {} : { onFailure: hook.onError }),
    },
    abortOnFailure: hook.onError === 'abort',
  };
}

function factoryOf(hook: BuiltinHook, { factories }: ModuleContext): Register {
  const factory = Object.hasOwn(factories, hook.name) ? factories[hook.name] : undefined;
  if (factory !== undefined) return factory;
  throw new TrotlineError('host.unknown-builtin', {
    what: `no program registered a builtin named "${hook.name}", and the entry names no module`,
    ...hook.place,
  });
}

async function prepareInline(
  hook: BuiltinHook & { readonly module: string },
  place: string,
  config: Readonly<Record<string, unknown>>,
  context: ModuleContext,
): Promise<PreparedModule> {
  const module = await loadModule(hook.module, {
    cacheDir: context.cacheDir,
    virtual: { '@trotline/engine': engineModule, trotline: engineModule },
    beforeRun: (inputs) => context.beforeRun(hook, inputs),
  });
  try {
    const register = module.exports['register'];
    if (typeof register !== 'function') {
      throw new TrotlineError('modules.no-hook', {
        what: `the module of "${hook.name}" does not export a function named register`,
        file: hook.module,
        expected: 'export const register = (on, options) => { on("tool.call", ...) }',
      });
    }
    const guarded: Register = (on, own) =>
      (register as Register)(guardedOn(on, module, hook.timeouts.interceptorMs), own);
    const staged = await stage(guarded, config, optionsOf(hook, place, 'inline'));
    for (const note of module.notes) context.print(hook.name, note.text);
    return { staged, inputs: module.inputs, dispose: () => module.dispose() };
  } catch (error) {
    const at = module.placeOf(error);
    module.dispose();
    if (error instanceof TrotlineError) throw error;
    throw new TrotlineError('modules.threw', {
      what: `register of "${hook.name}" threw: ${error instanceof Error ? error.message : String(error)}`,
      file: hook.module,
      ...at,
      cause: error,
    });
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

/** `on` for a loaded module: its hooks run under its loop guards, what lies beneath runs outside them, and a failure says where it arose. */
function guardedOn(on: unknown, module: LoadedModule, budgetMs: number): never {
  const wrap =
    (hook: AnyFunction): AnyFunction =>
    ($, e, next) => {
      const fromBeneath = new WeakSet<object>();
      const fail = (error: unknown): never => {
        throw located(error, module, fromBeneath);
      };
      let out: unknown;
      try {
        out = module.withBudget(budgetMs, () => hook($, e, outside(next as AnyFunction, module, fromBeneath)));
      } catch (error) {
        return fail(error);
      }
      return out instanceof Promise ? out.catch(fail) : out;
    };
  const guarded = (...args: unknown[]): Registration => {
    const at = args.findIndex((a) => typeof a === 'function');
    if (at >= 0 && !isGenerator(args[at])) args[at] = wrap(args[at] as AnyFunction);
    const registration = (on as AnyFunction)(...args) as Registration;
    const { catch: setHandler } = registration;
    registration.catch = (handler) => setHandler.call(registration, wrap(handler as AnyFunction) as never);
    return registration;
  };
  return guarded as never;
}

/** A hook's own error with the place in its file. Control, coded errors and what came from beneath stay as they are. */
function located(error: unknown, module: LoadedModule, fromBeneath: WeakSet<object>): unknown {
  if (!(error instanceof Error) || error instanceof TrotlineError || isControl(error) || fromBeneath.has(error))
    return error;
  if ('failureClass' in error || 'code' in error) return error;
  const at = module.placeOf(error);
  if (at === undefined) return error;
  const told = new Error(`${error.message} (${basename(at.file)}:${at.line}:${at.column})`, { cause: error });
  told.name = error.name;
  return told;
}

/** `next` with the module's clock stopped while the rest of the chain begins. Its members stay as they are. */
function outside(next: AnyFunction, module: LoadedModule, fromBeneath: WeakSet<object>): AnyFunction {
  const note = (error: unknown): void => {
    if (error !== null && typeof error === 'object') fromBeneath.add(error);
  };
  return new Proxy(next, {
    apply: (target, self, args: unknown[]) => {
      const out: unknown = module.outsideBudget(() => Reflect.apply(target, self, args));
      if (out instanceof Promise) out.catch(note);
      return out;
    },
  });
}

const isGenerator = (value: unknown): boolean =>
  typeof value === 'function' && /^(Async)?GeneratorFunction$/.test(value.constructor.name);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
