import { TrotlineError } from '../events/errors.ts';
import { canonicalNames } from '../events/tools.ts';
import type { Kernel, LinkSpec, Matcher, Owner, Registration } from '../kernel/index.ts';
import { findEvent } from './core.ts';
import type { Served } from './served.ts';
import type { HookOptions, OwnerRegistrar, OwnerSpec, Registrar } from './types.ts';

/** Who the program's own hooks belong to. */
export const program: Owner = Object.freeze({
  name: 'program',
  tier: 'user',
  source: 'program',
  lane: 'in-process',
  realm: 'inline',
});

const isWide = (pattern: string): boolean => pattern.startsWith('*') || pattern.startsWith('!');

/** Does the catalogue hold what the pattern names? `fs.*` may come true later, a single name may not. */
function refuseUnknown(pattern: string, served: Served): void {
  const name = pattern.startsWith('!') ? pattern.slice(1) : pattern;
  if (name === '*' || name.endsWith('.*') || findEvent(name, served) !== undefined) return;
  throw new TrotlineError('engine.no-event', { what: `"${name}" is not an event` });
}

/** What a mod's `*` and `!x` leave out: our own events, and telemetry for whoever was installed. */
function exceptions(owner: Owner, pattern: string, served: Served): ((event: string) => boolean) | undefined {
  if (owner.lane !== 'mods' || !isWide(pattern)) return undefined;
  return (event) =>
    findEvent(event, served)?.world === 'ours' || (owner.tier === 'user' && event.startsWith('telemetry.'));
}

const both = (
  a: ((event: string) => boolean) | undefined,
  b: ((event: string) => boolean) | undefined,
): ((event: string) => boolean) | undefined =>
  a === undefined || b === undefined ? (a ?? b) : (event) => a(event) || b(event);

/** At `tool.check` a matcher may name a tool by any of its names. */
function anyName(pattern: string, matcher: Matcher | undefined): Matcher | undefined {
  const tool = matcher?.['tool'];
  if (pattern !== 'tool.check' || matcher === undefined) return matcher;
  if (typeof tool === 'string') return { ...matcher, tool: canonicalNames(tool) };
  if (!Array.isArray(tool)) return matcher;
  return { ...matcher, tool: tool.flatMap((one) => (typeof one === 'string' ? canonicalNames(one) : [one])) };
}

/** An owner's policy reaches those of its hooks that can refuse: where nothing can be, there is nothing to block. */
function ownerDefaults(pattern: string, defaults: HookOptions, served: Served): HookOptions {
  if (defaults.onFailure === undefined || findEvent(pattern, served)?.observe !== true) return defaults;
  return { ...defaults, onFailure: 'open' };
}

/** A way to register hooks for one owner. `seated` is told of each. */
export function createRegistrar(
  kernel: Kernel,
  served: Served,
  owner: Owner,
  defaults: HookOptions,
  seated: (registration: Registration) => void = () => undefined,
): Registrar['on'] {
  const on = (pattern: string, ...rest: unknown[]): Registration => {
    const matcher = anyName(pattern, typeof rest[0] === 'function' ? undefined : (rest.shift() as Matcher));
    const [hook, options] = rest as [LinkSpec['hook'], HookOptions | undefined];
    if (typeof pattern !== 'string' || typeof hook !== 'function') {
      throw new TypeError('on() takes a pattern, perhaps a matcher, and a function');
    }
    refuseUnknown(pattern, served);
    const { except, ...given } = { ...ownerDefaults(pattern, defaults, served), ...options };
    const left = both(except, exceptions(owner, pattern, served));
    const registration = kernel.register({
      ...given,
      owner,
      pattern,
      hook,
      ...(matcher === undefined ? {} : { matcher }),
      ...(left === undefined ? {} : { except: left }),
    });
    seated(registration);
    return registration;
  };
  return on as Registrar['on'];
}

/** A registrar for somebody other than the program. `removed` is told when all its hooks go. */
export function createOwner(
  kernel: Kernel,
  served: Served,
  spec: OwnerSpec,
  removed: (owner: Owner) => void,
): OwnerRegistrar {
  const { name, tier, source, lane, realm, dependsOn, order, place, isDown, onFailure } = spec;
  const owner: Owner = Object.freeze({
    name,
    tier: tier ?? 'user',
    source: source ?? 'program',
    lane: lane ?? 'in-process',
    realm: realm ?? 'inline',
    ...(dependsOn === undefined ? {} : { dependsOn: Object.freeze([...dependsOn]) }),
    ...(order === undefined ? {} : { order }),
    ...(isDown === undefined ? {} : { isDown }),
    ...(place === undefined ? {} : { place }),
  });
  const mine: Registration[] = [];
  return {
    owner,
    on: createRegistrar(kernel, served, owner, onFailure === undefined ? {} : { onFailure }, (registration) =>
      mine.push(registration),
    ),
    remove: () => {
      for (const registration of mine.splice(0)) registration();
      removed(owner);
    },
  };
}
