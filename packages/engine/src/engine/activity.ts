import { TrotlineError } from '../events/errors.ts';

/** One running dispatch: what it is aborted with, and how it says that it has ended. */
export interface Running {
  readonly signal: AbortSignal;
  end(): void;
}

/** What runs on an engine, so that closing it can wait, and then abort. */
export interface Activity {
  readonly closed: boolean;
  /** Throws `engine.closed`. */
  begin(outer: AbortSignal | undefined): Running;
  close(graceMs: number): Promise<void>;
}

/** Keeps count of what runs. A signal of its own for each, linked to the caller's and let go of at its end. */
export function createActivity(): Activity {
  const running = new Set<AbortController>();
  let closed = false;
  let idle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const begin = (outer: AbortSignal | undefined): Running => {
    if (closed) throw new TrotlineError('engine.closed', { what: 'The engine was closed' });
    const controller = new AbortController();
    const abort = (): void => controller.abort(outer?.reason);
    if (outer?.aborted === true) abort();
    else outer?.addEventListener('abort', abort, { once: true });
    running.add(controller);
    return {
      signal: controller.signal,
      end: () => {
        outer?.removeEventListener('abort', abort);
        if (running.delete(controller) && running.size === 0) idle?.();
      },
    };
  };

  const settle = async (graceMs: number): Promise<void> => {
    if (running.size === 0) return;
    const ended = new Promise<void>((resolve) => {
      idle = resolve;
    });
    if (await within(ended, graceMs)) return;
    for (const controller of running)
      controller.abort(new TrotlineError('engine.closed', { what: 'The engine was closed' }));
    await within(ended, graceMs);
  };

  return {
    get closed() {
      return closed;
    },
    begin,
    close: (graceMs) => {
      closed = true;
      closing ??= settle(graceMs);
      return closing;
    },
  };
}

/** Did it end in time? */
async function within(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
