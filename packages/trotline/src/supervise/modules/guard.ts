import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { TrotlineError } from '@trotline/engine';
import type { GuardPlace } from './types.ts';

/** Turns before the first look at the clock: few, so that a slow loop body is noticed soon. */
const FIRST = 15;
/** Turns between two looks at most: a look costs about 60 ns, a turn about 1 ns. */
const MOST = 255;

/** What guarded code counts on. `n` and `lim` are read at every turn of every loop, hence their names. */
export interface Counter {
  n: number;
  lim: number;
  check(place: number): void;
}

export interface Guard {
  readonly counter: Counter;
  readonly withBudget: <T>(budgetMs: number, call: () => T) => T;
  readonly outsideBudget: <T>(call: () => T) => T;
}

// Taken before any module runs, so that one that replaces them cannot stop its own clock.
const clock = performance.now.bind(performance);
const soon = setImmediate;

/**
 * The state behind the guards of one module. A stretch begins at the first look at the clock, or at `withBudget`, and ends
 * when the event loop turns. Once a stretch is over its budget, *every* guard throws until it ends: a `catch` in between
 * gains nothing.
 */
export function createGuard(
  places: readonly GuardPlace[],
  budgetMs: number,
  onStopped?: (error: TrotlineError) => void,
): Guard {
  let budget = budgetMs;
  let armed = false;
  let start = 0;
  let last = 0;
  let stopped: TrotlineError | undefined;

  const counter: Counter = { n: 0, lim: FIRST, check };

  function check(place: number): void {
    if (stopped !== undefined) throw stopped;
    counter.n = 0;
    const now = clock();
    if (!armed) {
      armed = true;
      start = last = now;
      soon(endOfStretch);
      return;
    }
    if (now - start > budget) {
      counter.lim = -1;
      stopped = busy(places[place], now - start, budget);
      onStopped?.(stopped);
      throw stopped;
    }
    // About one look each tenth of a millisecond, whatever a turn costs.
    const pause = now - last;
    last = now;
    if (pause < 0.05) counter.lim = Math.min(counter.lim * 4 + 3, MOST);
    else if (pause > 1) counter.lim >>= 2;
  }

  function endOfStretch(): void {
    armed = false;
    stopped = undefined;
    counter.lim = FIRST;
  }

  function withBudget<T>(ms: number, call: () => T): T {
    const outer = { budget, armed, start, stopped, lim: counter.lim };
    const entered = clock();
    budget = ms;
    armed = true;
    start = last = entered;
    stopped = undefined;
    counter.lim = FIRST;
    let overrun: TrotlineError | undefined;
    try {
      const result = call();
      // The stretch was stopped, and the module swallowed it: that is a failure all the same.
      if (stopped !== undefined) silence(result);
      else return result;
    } catch (error) {
      if (stopped === undefined) throw error;
    } finally {
      budget = outer.budget;
      armed = outer.armed;
      last = clock();
      start = outer.start + (last - entered);
      overrun = stopped;
      stopped = outer.stopped;
      counter.lim = outer.lim;
    }
    throw overrun;
  }

  function outsideBudget<T>(call: () => T): T {
    const left = clock();
    try {
      return call();
    } finally {
      last = clock();
      start += last - left;
    }
  }

  return { counter, withBudget, outsideBudget };
}

/** A promise whose outcome nobody will look at must not count as an unhandled rejection. */
function silence(result: unknown): void {
  if (result instanceof Promise) result.catch(() => {});
}

function busy(place: GuardPlace | undefined, ms: number, budget: number): TrotlineError {
  const subject = place?.what === 'function' ? 'this function was still being called' : 'this loop was still running';
  const error = new TrotlineError('modules.busy-loop', {
    what: `After ${Math.round(ms).toLocaleString('en')} ms without a pause ${subject}, and it was stopped`,
    expected: `at most ${budget.toLocaleString('en')} ms before the thread is let go`,
    ...(place === undefined ? {} : { file: place.file, line: place.line, column: place.column }),
  });
  // By this the chain knows that it was the hook's budget, and not an error that the hook threw.
  return Object.assign(error, { failureClass: 'budget' });
}
