import { Control } from './control.ts';
import { freezeCopy } from './freeze.ts';
import { covers, fits } from './match.ts';
import { inOrder, type Seated } from './order.ts';
import type { AnyHook, EventRules, LinkSpec, Maybe, Next, Origin, Registration, TraceEntry } from './types.ts';

/** One entry of one link in one dispatch; the cause of what its `$` raises. */
export interface Invocation {
  readonly link: Seated;
  readonly cause: Invocation | undefined;
  readonly event: string;
  readonly dryRun: boolean;
}

export interface DispatchInput {
  readonly e: unknown;
  readonly origin: Origin;
  readonly bottom: (e: never, signal: AbortSignal) => unknown;
  readonly signal?: AbortSignal;
  readonly cause?: Invocation;
  /** The caller gives `e` away: it may be frozen in place. */
  readonly owned?: boolean;
  readonly dryRun?: boolean;
}

export interface KernelOptions {
  /** Makes the `$` of one invocation. */
  readonly dollar: (invocation: Invocation) => unknown;
  /** Told of every dispatch that had links, after it settled. */
  readonly onSettled?: (event: string, trace: readonly TraceEntry[]) => void;
}

export interface Kernel {
  register(spec: LinkSpec): Registration;
  /** The links standing on an event, outermost first. */
  links(event: string): readonly Seated[];
  dispatch(rules: EventRules, input: DispatchInput): Maybe<unknown>;
}

const never = new AbortController().signal;

/** The chain: hooks seated in their total order, each dispatch run through them. */
export function createKernel(options: KernelOptions): Kernel {
  const seats: Seated[] = [];
  const handlers = new WeakMap<Seated, AnyHook>();
  let sequence = 0;

  const register = (spec: LinkSpec): Registration => {
    const seat: Seated = { ...spec, sequence: sequence++ };
    seats.push(seat);
    seats.sort(inOrder);
    const off = (() => {
      const at = seats.indexOf(seat);
      if (at >= 0) seats.splice(at, 1);
    }) as Registration;
    off.catch = (handler) => {
      handlers.set(seat, handler);
      return off;
    };
    return off;
  };

  const links = (event: string): readonly Seated[] => seats.filter((s) => covers(s.pattern, event));

  const dispatch = (rules: EventRules, input: DispatchInput): Maybe<unknown> => {
    const chain = links(rules.name);
    const signal = input.signal ?? never;
    const step = (at: number, e: unknown): unknown => {
      const link = chain[at];
      if (link === undefined) return input.bottom(e as never, signal);
      if (link.matcher !== undefined && !fits(link.matcher, e)) return step(at + 1, e);
      return run(link, at, e);
    };
    const run = async (link: Seated, at: number, e: unknown): Promise<unknown> => {
      const invocation: Invocation = { link, cause: input.cause, event: rules.name, dryRun: input.dryRun === true };
      let beneath: Promise<unknown> | undefined;
      const next = ((e2: unknown) => {
        beneath = (async () => step(at + 1, freezeCopy(e2)))();
        return beneath;
      }) as unknown as Next & Record<string, unknown>;
      Object.assign(next, { event: rules.name, origin: input.origin, signal, dryRun: invocation.dryRun, trace: [] });
      next['is'] = (pattern: string) => covers(pattern, rules.name);
      try {
        const result = await link.hook(options.dollar(invocation), e, next);
        const misfit = rules.resultMisfit(result);
        if (misfit !== undefined) throw new Error(misfit);
        return freezeCopy(result);
      } catch (error) {
        if (error instanceof Control) throw error;
        const handler = handlers.get(link);
        if (handler !== undefined) return handler(options.dollar(invocation), e, next);
        if (link.onFailure === 'closed' && rules.refusal !== undefined) {
          return rules.refusal(`${link.name ?? link.owner.name} failed: ${(error as Error).message}`);
        }
        return beneath ?? step(at + 1, e);
      }
    };
    return step(0, freezeCopy(input.e)) as Maybe<unknown>;
  };

  return { register, links, dispatch };
}
