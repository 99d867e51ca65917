import type { OpDef } from '../../events/ops/define.ts';
import type { Timer } from '../../events/ops/world.ts';
import { type Core, messageOf } from '../core.ts';
import { type Caller, raiseOp, unwrap } from './call.ts';

/** The timers of an engine's hooks, by owner. */
export interface Timers {
  start(caller: Caller, op: OpDef, ms: unknown, call: unknown): Timer;
  /** Cancels those of one owner, or all. */
  cancel(owner?: string): void;
}

/**
 * `$.clock.after` and `every`: each wait is an op of its own, so that hooks see it and a test's clock can answer it; then the
 * function is called. One that throws is told as a notice, and the timer goes on.
 */
export function createTimers(core: () => Core): Timers {
  const running = new Map<string, Set<AbortController>>();

  const run = async (
    caller: Caller,
    op: OpDef,
    ms: unknown,
    call: () => unknown,
    stop: AbortController,
  ): Promise<void> => {
    const { signal } = stop;
    const owner = caller.origin.plugin;
    do {
      try {
        unwrap(owner, op.name, await raiseOp(core(), caller, op, [ms, call], signal));
      } catch (error) {
        if (!signal.aborted) core().notice('op.denied', { owner, op: op.name, reason: messageOf(error) });
        return;
      }
      if (signal.aborted) return;
      try {
        await call();
      } catch (error) {
        core().notice('timer.failed', { owner, message: messageOf(error) });
      }
    } while (op.name === 'clock.every' && !signal.aborted);
  };

  return {
    start: (caller, op, ms, call) => {
      if (typeof call !== 'function') throw new TypeError(`$.${op.name} takes milliseconds and a function`);
      const stop = new AbortController();
      const owner = caller.origin.plugin;
      const own = running.get(owner) ?? new Set();
      running.set(owner, own.add(stop));
      const least = op.name === 'clock.every' && typeof ms === 'number' ? Math.max(1, ms) : ms;
      void run(caller, op, least, call as () => unknown, stop).finally(() => own.delete(stop));
      return Object.freeze({ cancel: () => stop.abort() });
    },
    cancel: (owner) => {
      for (const [name, timers] of running) {
        if (owner !== undefined && name !== owner) continue;
        for (const timer of timers) timer.abort();
        running.delete(name);
      }
    },
  };
}
