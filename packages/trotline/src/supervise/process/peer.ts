import { PeerError } from './failure.ts';
import { DEFAULT_LIMITS, DEFAULT_RESTART, withDefaults } from './limits.ts';
import { createRestartCounter } from './restart.ts';
import { createRing } from './ring.ts';
import { type Run, startRun } from './run.ts';
import type { CallOptions, Peer, PeerFault, PeerOptions, PeerState } from './types.ts';

/**
 * Starts a process and keeps it: handshake, calls by id, restart with back-off, and at the end nothing left of it, whatever
 * it or we do. Returns at once; `ready` tells how the first start went. An idle peer does not keep our event loop alive.
 *
 * Calls reject with a {@link PeerError}: `supervise.timeout` (class `budget`), `supervise.refused` (`throw`),
 * `supervise.exited`, `supervise.down`, `supervise.stopped` and `supervise.queue-full` (`crash`),
 * `supervise.cannot-start` and `supervise.handshake` (`start`), `supervise.garbage` (`garbage`).
 */
export function startPeer(options: PeerOptions): Peer {
  const { name } = options;
  const limits = withDefaults(DEFAULT_LIMITS, options.limits);
  const policy = withDefaults(DEFAULT_RESTART, typeof options.restart === 'object' ? options.restart : undefined);
  const counter = createRestartCounter(policy);
  const stderr = createRing(limits.stderrLines);
  const faults: Record<string, number> = {};
  let state: PeerState = 'waiting';
  let run: Run | undefined;
  /** Settles when the start under way has; calls that come meanwhile wait for it. */
  let launched: Promise<void> = Promise.resolve();
  let lastError: PeerError | undefined;
  let launches = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | undefined;

  /** A callback of the dialect must not be able to break supervision. */
  const observe = (callback: () => void): void => {
    try {
      callback();
    } catch {
      faults['supervise.observer'] = (faults['supervise.observer'] ?? 0) + 1;
    }
  };
  const onFault = (fault: PeerFault): void => {
    faults[fault.code] = (faults[fault.code] ?? 0) + 1;
    observe(() => options.onFault?.(fault));
  };
  const onStderr = (line: string): void => {
    stderr.push(line);
    observe(() => options.onStderr?.(line));
  };
  const enter = (next: PeerState, cause?: PeerError): void => {
    state = next;
    observe(() => options.onState?.(next, cause));
  };

  const launch = async (): Promise<void> => {
    const current = startRun(options, { limits, onStderr, onFault });
    run = current;
    void current.over.then(() => {
      run = undefined;
    });
    const problem = await current.shaken;
    if (problem !== undefined) throw problem;
    if (stopped !== undefined) return;
    enter('ready');
    void current.over.then(down);
  };
  const start = (): void => {
    launches += 1;
    enter('starting');
    launched = launch();
    launched.catch((error: unknown) => down(asPeerError(name, error)));
  };
  const down = (error: PeerError): void => {
    if (stopped !== undefined) return;
    lastError = error;
    const verdict = options.restart === false ? 'stay' : counter.ended(performance.now());
    if (typeof verdict === 'string') {
      enter(verdict === 'trip' ? 'tripped' : 'failed', error);
    } else {
      timer = setTimeout(start, verdict.delayMs).unref();
      enter('waiting', error);
    }
  };
  const stoppedError = (): PeerError => new PeerError('crash', 'supervise.stopped', { what: `${name} was stopped` });

  start();
  const ready = launched;

  const call = async (method: string, params: unknown, given: CallOptions = {}): Promise<unknown> => {
    const timeoutMs = given.timeoutMs ?? limits.callMs;
    if (state === 'ready' && run !== undefined) return run.wire.call(method, params, { ...given, timeoutMs });
    if (state !== 'starting') throw stopped === undefined ? downError(name, state, lastError) : stoppedError();
    const began = performance.now();
    await untilLaunched(launched, name, method, timeoutMs, given.signal);
    return call(method, params, { ...given, timeoutMs: Math.max(1, timeoutMs - (performance.now() - began)) });
  };

  return {
    ready,
    get state() {
      return state;
    },
    get pid() {
      return run?.group.pid;
    },
    call,
    notify(method, params) {
      if (state === 'ready') run?.wire.notify(method, params);
    },
    health: () => ({
      state,
      pid: run?.group.pid,
      restarts: launches - 1,
      lastError,
      faults: { ...faults },
      stderr: stderr.lines(),
    }),
    restart() {
      if (state !== 'tripped' && state !== 'failed') return;
      counter.reset();
      start();
    },
    stop() {
      stopped ??= (async () => {
        clearTimeout(timer);
        enter('stopping');
        await run?.stop(stoppedError());
        enter('stopped');
      })();
      return stopped;
    },
  };
}

function asPeerError(name: string, error: unknown): PeerError {
  if (error instanceof PeerError) return error;
  const what = `${name} cannot start: ${error instanceof Error ? error.message : String(error)}`;
  return new PeerError('start', 'supervise.cannot-start', { what, cause: error });
}

function downError(name: string, state: PeerState, last: PeerError | undefined): PeerError {
  const why = last === undefined ? '' : `: ${last.detail.what}`;
  const next = state === 'waiting' ? 'is about to be started again' : 'stays down';
  return new PeerError('crash', 'supervise.down', { what: `${name} is not running and ${next}${why}`, cause: last });
}

/** Waits for a start under way, no longer than a call may take. */
async function untilLaunched(
  launched: Promise<void>,
  name: string,
  method: string,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  let onAbort: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    const what = `${name} was not ready for ${method} within ${ms} ms`;
    timer = setTimeout(() => reject(new PeerError('budget', 'supervise.timeout', { what })), ms);
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([launched, givenUp]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}
