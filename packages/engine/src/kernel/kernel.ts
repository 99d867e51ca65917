import { step } from './chain.ts';
import { performance } from './clock.ts';
import { KernelError } from './failure.ts';
import { freezeCopy } from './freeze.ts';
import { checkPattern, compileMatcher, covers } from './match.ts';
import { checkCycle, inOrder } from './order.ts';
import { Dispatch, type Seat } from './run.ts';
import { isGenerator, streamStep } from './stream.ts';
import type {
  AnyHook,
  BottomCall,
  DispatchInput,
  EventRules,
  Kernel,
  KernelOptions,
  LinkSpec,
  Maybe,
  Registration,
  Seated,
} from './types.ts';

/** What the bottom is handed where no hook stands in between. */
class DirectCall implements BottomCall {
  readonly #input: DispatchInput;
  constructor(input: DispatchInput) {
    this.#input = input;
  }
  get signal(): AbortSignal {
    return this.#input.signal ?? new AbortController().signal;
  }
  get dryRun(): boolean {
    return this.#input.dryRun === true;
  }
}

/** The chain: hooks seated in their total order, each dispatch run through them. */
export function createKernel(options: KernelOptions): Kernel {
  const seats = new Set<Seat>();
  // Compiled chains are snapshots: a dispatch keeps the one it began with, whoever comes or goes meanwhile.
  const chains = new Map<string, readonly Seat[]>();
  // The order is that of all links: an owner without a hook on an event still holds others apart.
  let sorted: readonly Seat[] | undefined;
  let sequence = 0;
  const changed = (): void => {
    sorted = undefined;
    chains.clear();
  };

  const register = (spec: LinkSpec): Registration => {
    check(spec, options.rules?.(spec.pattern));
    if (spec.owner.dependsOn !== undefined)
      checkCycle(
        spec.owner,
        [...seats].map((seat) => seat.owner),
      );
    const seat: Seat = {
      ...spec,
      sequence: sequence++,
      calls: 0,
      failures: 0,
      handler: undefined,
      fits: spec.matcher === undefined ? undefined : compileMatcher(spec.matcher),
      generator: isGenerator(spec.hook),
    };
    seats.add(seat);
    changed();
    const off = (() => {
      if (seats.delete(seat)) changed();
    }) as Registration;
    off.catch = (handler: AnyHook) => {
      if (seat.handler !== undefined) {
        throw new KernelError('catch-twice', `${spec.owner.name}: this hook on ${spec.pattern} has a .catch already`);
      }
      if (typeof handler !== 'function') throw new KernelError('hook', `${spec.owner.name}: .catch needs a function`);
      seat.handler = handler;
      return off;
    };
    return off;
  };

  const compile = (event: string): readonly Seat[] => {
    // Names come from the catalogue and from mods' own nouns; were they made up without end, this is where it shows.
    if (chains.size > 5_000) chains.clear();
    sorted ??= inOrder([...seats]) as Seat[];
    const chain = sorted.filter((seat) => covers(seat.pattern, event) && seat.except?.(event) !== true);
    chains.set(event, chain);
    return chain;
  };

  const dispatch = (rules: EventRules, input: DispatchInput): Maybe<unknown> => {
    const chain = chains.get(rules.name) ?? compile(rules.name);
    if (rules.stream) return openStream(rules, input, chain);
    if (!concerns(chain, input.e)) return direct(input);
    const d = new Dispatch(rules, input, chain, options, step);
    let e: unknown;
    try {
      e = freezeCopy(input.e, input.owned, d);
    } catch (error) {
      return Promise.reject(error);
    }
    return step(d, 0, e, undefined, performance.now());
  };

  const openStream = (rules: EventRules, input: DispatchInput, chain: readonly Seat[]): unknown => {
    const d = new Dispatch(rules, input, chain, options, streamStep);
    try {
      return streamStep(d, 0, freezeCopy(input.e, input.owned, d), undefined);
    } catch (error) {
      const bottom = (): never => {
        throw error;
      };
      return streamStep(new Dispatch(rules, { ...input, bottom }, [], options, streamStep), 0, undefined, undefined);
    }
  };

  const links = (event?: string): readonly Seated[] =>
    event === undefined ? inOrder([...seats]) : (chains.get(event) ?? compile(event));

  return { register, links, dispatch };
}

/** May any link be for this event? A `when` is asked later, where its throw can be told as its hook's failure. */
function concerns(chain: readonly Seat[], e: unknown): boolean {
  for (const seat of chain) if (seat.fits === undefined || seat.fits(e)) return true;
  return false;
}

/** No hook is for this event: the bottom alone, and nothing is made on the way. */
function direct(input: DispatchInput): Maybe<unknown> {
  try {
    return input.bottom(input.e as never, new DirectCall(input));
  } catch (error) {
    return Promise.reject(error);
  }
}

function check(spec: LinkSpec, rules: EventRules | undefined): void {
  checkPattern(spec.pattern);
  const name = `${spec.owner.name}: a hook on ${spec.pattern}`;
  if (typeof spec.hook !== 'function') throw new KernelError('hook', `${name} is no function`);
  if (rules?.stream === false && isGenerator(spec.hook)) {
    throw new KernelError(
      'hook',
      `${name} is a generator, and the event is no stream. Write a plain or async function`,
    );
  }
  if (rules?.observe === true && spec.onFailure !== undefined && spec.onFailure !== 'open') {
    throw new KernelError(
      'policy',
      `${name} cannot fail ${spec.onFailure}: the event is only observed, so it has nothing to refuse`,
    );
  }
}
