import {
  AbortTurn,
  type Engine,
  events,
  type HookError,
  type HookOptions,
  type Matcher,
  type OwnerRegistrar,
  type OwnerSpec,
  type Registrar,
  type Registration,
} from '@trotline/engine';

type AnyFunction = (...args: never[]) => unknown;

interface StagedHook {
  readonly pattern: string;
  readonly matcher: Matcher | undefined;
  readonly hook: AnyFunction;
  readonly options: HookOptions;
  handler?: AnyFunction;
  seated?: Registration;
}

/** What a module's `register` is handed and returns. */
export type Register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>) => unknown;

/** Hooks collected from a `register` before any of them stands on the line, so that a failing one leaves no half set behind. */
export interface Staged {
  readonly count: number;
  seat(engine: Engine): OwnerRegistrar;
}

export interface StageOptions {
  readonly owner: OwnerSpec;
  /** Hooks that name none get these. */
  readonly defaults: HookOptions;
  /** `on_error: abort`: a failure ends the turn. */
  readonly abortOnFailure: boolean;
}

/** Runs `register`, collects what it registers, and gives it back to be seated all at once. */
export async function stage(
  register: Register,
  config: Readonly<Record<string, unknown>>,
  options: StageOptions,
): Promise<Staged> {
  const hooks: StagedHook[] = [];
  const on = ((pattern: string, ...rest: unknown[]): Registration => {
    const matcher = typeof rest[0] === 'function' ? undefined : (rest.shift() as Matcher);
    const [hook, own] = rest as [AnyFunction, HookOptions | undefined];
    if (typeof pattern !== 'string' || typeof hook !== 'function') {
      throw new TypeError('on() takes a pattern, perhaps a matcher, and a function');
    }
    const defaults = observeOnly(pattern) ? withoutPolicy(options.defaults) : options.defaults;
    const staged: StagedHook = {
      pattern,
      matcher,
      hook,
      options: { ...defaults, ...own, ...tightened(own, defaults) },
    };
    hooks.push(staged);
    return registrationOf(staged, hooks);
  }) as Registrar['on'];
  await register(on, config);
  return { count: hooks.length, seat: (engine) => seat(engine, hooks, options) };
}

/** An event that can only be observed has nothing to refuse: the policy of the configuration is for the others. */
const observeOnly = (pattern: string): boolean =>
  Object.hasOwn(events, pattern) && events[pattern as keyof typeof events].observe;

const withoutPolicy = ({ onFailure: _, ...rest }: HookOptions): HookOptions => rest;

/** A configuration may tighten what the author declared, not loosen it. */
function tightened(own: HookOptions | undefined, defaults: HookOptions): HookOptions {
  const strict = { open: 0, ask: 1, closed: 2 } as const;
  const [a, b] = [own?.onFailure ?? 'open', defaults.onFailure ?? 'open'];
  return { onFailure: strict[a] >= strict[b] ? a : b };
}

function registrationOf(staged: StagedHook, hooks: StagedHook[]): Registration {
  const registration = (() => {
    const at = hooks.indexOf(staged);
    if (at >= 0) hooks.splice(at, 1);
    staged.seated?.();
  }) as Registration;
  registration.catch = (handler) => {
    if (staged.handler !== undefined) throw new TypeError('.catch() was called twice on one hook');
    staged.handler = handler;
    staged.seated?.catch(handler);
    return registration;
  };
  return registration;
}

function seat(engine: Engine, hooks: readonly StagedHook[], options: StageOptions): OwnerRegistrar {
  const owner = engine.owner(options.owner);
  try {
    for (const staged of hooks) {
      const registration = (owner.on as AnyFunction as (...args: unknown[]) => Registration)(
        ...(staged.matcher === undefined ? [staged.pattern] : [staged.pattern, staged.matcher]),
        staged.hook,
        staged.options,
      );
      staged.seated = registration;
      if (staged.handler !== undefined) registration.catch(staged.handler as never);
      else if (options.abortOnFailure) registration.catch(abort(options.owner.name));
    }
  } catch (error) {
    owner.remove();
    throw error;
  }
  return owner;
}

const abort =
  (name: string) =>
  (_$: unknown, _e: unknown, next: { readonly error?: HookError }): never => {
    throw new AbortTurn(name, `failed: ${next.error?.message ?? next.error?.class ?? 'no answer'}`);
  };
