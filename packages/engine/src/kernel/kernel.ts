import { Control } from './control.ts';
import { freezeCopy } from './freeze.ts';
import { covers, fits } from './match.ts';
import { inOrder } from './order.ts';
import type {
  AnyHook,
  DispatchInput,
  EventRules,
  Invocation,
  Kernel,
  KernelOptions,
  LinkSpec,
  Maybe,
  Next,
  Registration,
  Seated,
} from './types.ts';

const never = new AbortController().signal;

/** The chain: hooks seated in their total order, each dispatch run through them. */
export function createKernel(options: KernelOptions): Kernel {
  const seats: Seated[] = [];
  const handlers = new WeakMap<Seated, AnyHook>();
  let sequence = 0;

  const register = (spec: LinkSpec): Registration => {
    const seat: Seated = { ...spec, sequence: sequence++, calls: 0, failures: 0 };
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

  const links = (event?: string): readonly Seated[] =>
    event === undefined ? [...seats] : seats.filter((s) => covers(s.pattern, event));

  const dispatch = (rules: EventRules, input: DispatchInput): Maybe<unknown> => {
    const chain = links(rules.name);
    const signal = input.signal ?? never;
    const step = (at: number, e: unknown): unknown => {
      const link = chain[at];
      if (link === undefined) return input.bottom(e as never, { signal, dryRun: input.dryRun === true });
      if (link.matcher !== undefined && !fits(link.matcher, e)) return step(at + 1, e);
      return run(link, at, e);
    };
    const run = async (link: Seated, at: number, e: unknown): Promise<unknown> => {
      const invocation: Invocation = {
        link,
        cause: input.cause,
        event: rules.name,
        origin: input.origin,
        dryRun: input.dryRun === true,
        signal,
        pause: () => undefined,
        resume: () => undefined,
        note: () => undefined,
      };
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
