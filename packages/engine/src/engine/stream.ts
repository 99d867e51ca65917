import { TrotlineError } from '../events/errors.ts';
import type { BottomCall, EventRules } from '../kernel/index.ts';
import { asInvocation, type Core, eventOf, hostOrigin } from './core.ts';
import type { Engine } from './types.ts';

/** A stream with its result beside it, from a generator. Whoever only reads the chunks learns of a failure there. */
export function withResult<C, R>(
  chunks: () => AsyncGenerator<C, R, undefined>,
): AsyncGenerator<C, R, undefined> & { readonly result: Promise<R> } {
  let settle: (value: R) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const result = new Promise<R>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  result.catch(() => undefined);
  async function* watched(): AsyncGenerator<C, R, undefined> {
    let left = true;
    try {
      const value = yield* chunks();
      left = false;
      settle(value);
      return value;
    } catch (error) {
      left = false;
      fail(error);
      throw error;
    } finally {
      if (left) fail(new Error('the stream was left before its end'));
    }
  }
  return Object.assign(watched(), { result });
}

/** Raises a streaming event that has no pipeline of its own around it. */
export function createStream(core: Core): Engine['stream'] {
  const stream = (name: string, e: unknown, options: Parameters<Engine['stream']>[2]) =>
    withResult(async function* () {
      if (name === 'llm.request') throw new TrotlineError('engine.no-raise', { what: `"${name}" was raised` });
      const rules: EventRules = eventOf(name, core.served);
      if (!rules.stream) throw new TrotlineError('engine.no-event', { what: `"${name}" is not a streaming event` });
      const running = core.activity.begin(options.signal);
      try {
        const raised = core.dispatch(rules, {
          e,
          origin: options.origin ?? hostOrigin,
          cause: asInvocation(options.cause),
          signal: running.signal,
          owned: options.owned,
          dryRun: options.dryRun,
          bottom: (final: unknown, call: BottomCall) =>
            (options.bottom as (e: unknown, signal: AbortSignal) => unknown)(final, call.signal),
        });
        return yield* raised as AsyncGenerator<unknown, unknown, undefined>;
      } finally {
        running.end();
      }
    });
  return stream as Engine['stream'];
}
