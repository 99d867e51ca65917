import { covers, type Maybe } from '../kernel/index.ts';
import type { Observed, Observer } from './types.ts';

const DEFAULT_QUEUE = 1_000;

type Watch = (seen: Observed) => Maybe<void>;

/** The observers of an engine. */
export interface Observers {
  add(watch: Watch, options?: { readonly pattern?: string; readonly queue?: number }): Observer;
  /** Is anybody watching this name? */
  wants(name: string): boolean;
  tell(name: string, seen: Observed): void;
  /** Resolves when every queue is empty; observers that hang are left behind after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

interface Seat {
  readonly pattern: string;
  readonly queue: Observed[];
  readonly limit: number;
  readonly watch: Watch;
  dropped: number;
  failures: number;
  /** Settles when the queue has run empty. */
  pump: Promise<void> | undefined;
}

/**
 * Each observer has a bounded queue of its own: a slow one loses its own oldest items, which are counted, and delays nobody.
 * `onFailure` is told of an observer that threw.
 */
export function createObservers(onFailure: (error: unknown, failures: number) => void): Observers {
  const seats = new Set<Seat>();

  const pump = async (seat: Seat): Promise<void> => {
    // The dispatch that is being told of goes on first.
    await undefined;
    for (let seen = seat.queue.shift(); seen !== undefined; seen = seat.queue.shift()) {
      try {
        await seat.watch(seen);
      } catch (error) {
        seat.failures += 1;
        const own = seen.kind === 'notice' && seen.notice.name === 'observer.failed';
        if (!own) onFailure(error, seat.failures);
      }
    }
    seat.pump = undefined;
  };

  return {
    add: (watch, options = {}) => {
      const limit = Math.max(1, Math.floor(options.queue ?? DEFAULT_QUEUE));
      const pattern = options.pattern ?? '*';
      const seat: Seat = { pattern, queue: [], limit, watch, dropped: 0, failures: 0, pump: undefined };
      seats.add(seat);
      const off = (): void => {
        seats.delete(seat);
        seat.queue.length = 0;
      };
      return Object.defineProperties(off, {
        dropped: { get: () => seat.dropped },
        failures: { get: () => seat.failures },
      }) as Observer;
    },
    wants: (name) => {
      for (const seat of seats) if (covers(seat.pattern, name)) return true;
      return false;
    },
    tell: (name, seen) => {
      for (const seat of seats) {
        if (!covers(seat.pattern, name)) continue;
        if (seat.queue.length >= seat.limit) {
          seat.queue.shift();
          seat.dropped += 1;
        }
        seat.queue.push(seen);
        seat.pump ??= pump(seat);
      }
    },
    drain: async (graceMs) => {
      const pumps = [...seats].flatMap((seat) => seat.pump ?? []);
      if (pumps.length === 0) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(pumps), late]);
      clearTimeout(timer);
    },
  };
}
