import { TrotlineError } from '@trotline/engine';
import { type Database, explainSqlite } from './driver.ts';

/** The one way to the disk: jobs handed over together are written in one transaction and cost one flush. */
export interface Writer {
  /** Runs `job` inside the next transaction. Resolves once it is on the disk; a job that throws is undone alone. */
  write<T>(job: () => T): Promise<T>;
  /** Writes what waits, now. What fails rejects its own promise. */
  flush(): void;
  /** Flushes; later writes reject. */
  close(): void;
}

interface Pending {
  readonly job: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a database. Jobs are collected until the event loop's next turn: a lone write waits for nothing else, and all
 * that came while a flush was under way share the next one. `onStale` tells a cache of what
 * the database holds that it may no longer be trusted.
 */
export function createWriter(database: Database, file: string, onStale: () => void): Writer {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const mark = database.prepare('SAVEPOINT job');
  const keep = database.prepare('RELEASE job');
  const undo = database.prepare('ROLLBACK TO job');
  let waiting: Pending[] = [];
  let scheduled = false;
  let closed = false;

  const flush = (): void => {
    scheduled = false;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const settle: (() => void)[] = [];
    try {
      begin.run();
      onStale();
      for (const { job, resolve, reject } of batch) {
        mark.run();
        try {
          const value = job() as never;
          settle.push(() => resolve(value));
        } catch (error) {
          undo.run();
          onStale();
          settle.push(() => reject(explainSqlite(error, file)));
        }
        keep.run();
      }
      commit.run();
    } catch (error) {
      onStale();
      try {
        rollback.run();
      } catch {
        // SQLite has rolled back by itself, or never began.
      }
      const reason = explainSqlite(error, file);
      for (const { reject } of batch) reject(reason);
      return;
    }
    for (const done of settle) done();
  };

  return {
    write: (job) => {
      if (closed) return Promise.reject(closedError(file));
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        setImmediate(flush);
      });
    },
    flush,
    close: () => {
      flush();
      closed = true;
    },
  };
}

/** The error of whoever comes after `close`. */
export function closedError(file: string): TrotlineError {
  return new TrotlineError('records.closed', { file, what: 'The records are closed' });
}
