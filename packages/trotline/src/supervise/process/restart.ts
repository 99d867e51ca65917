import type { RestartPolicy } from './types.ts';

/** What to do after an end: pause so long and start again, or stay down. */
export type RestartVerdict = { readonly delayMs: number } | 'trip';

export interface RestartCounter {
  /** Counts an end at `now` (milliseconds on any monotonic clock). */
  ended(now: number): RestartVerdict;
  reset(): void;
}

/** Back-off and crash-loop breaker. Ends older than the window are forgotten, and with them the length of the pause. */
export function createRestartCounter(policy: RestartPolicy): RestartCounter {
  let ends: number[] = [];
  return {
    ended(now) {
      ends = ends.filter((end) => now - end < policy.windowMs);
      ends.push(now);
      if (ends.length >= policy.maxExits) return 'trip';
      return { delayMs: Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (ends.length - 1)) };
    },
    reset() {
      ends = [];
    },
  };
}
