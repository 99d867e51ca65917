import type { TrotlineError } from '@trotline/engine';
import type { FromWorker, Outcome, ToWorker } from './protocol.ts';
import { errorOf, failed, failureOf } from './transfer.ts';
import type { CallOptions, NextLike } from './types.ts';

/** One call in flight, as the host sees it. */
export interface Pending {
  readonly id: number;
  readonly event: string;
  readonly budgetMs: number;
  /** The worker began to run it: from here on its clock counts. */
  begin(now: number): void;
  /** Own time so far, in milliseconds. */
  spent(now: number): number;
  /** Serves what the hook asks for. */
  serve(message: FromWorker & { type: 'next' | 'op' }): void;
  note(code: string, reason: string | undefined): void;
  settle(outcome: Outcome): void;
  fail(error: Error): void;
}

interface Setup {
  readonly id: number;
  readonly file: string;
  readonly event: string;
  readonly options: CallOptions;
  readonly send: (message: ToWorker) => void;
  readonly done: () => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More requests than this at a time, and the hook is flooding its host. */
const MAX_REQUESTS = 1_000;
/** Rejections kept per call: a hook throws on one of the last, if any. */
const MAX_REMEMBERED = 100;

export function createPending({ id, file, event, options, send, done, resolve, reject }: Setup): Pending {
  const { next, op, metered, signal, budgetMs } = options;
  /** What the host's own code rejected with, kept whole in case the hook throws it on. */
  const rejections = new Map<number, unknown>();
  let settled = false;
  let since: number | undefined;
  let own = 0;
  let outside = 0;
  let requests = 0;

  const abort = (): void => send({ type: 'abort', call: id });
  signal?.addEventListener('abort', abort, { once: true });
  const finish = (): boolean => {
    if (settled) return false;
    settled = true;
    signal?.removeEventListener('abort', abort);
    done();
    return true;
  };
  const pause = (): void => {
    if (outside++ > 0 || since === undefined) return;
    own += performance.now() - since;
    since = undefined;
  };
  const resume = (): void => {
    if (--outside === 0) since = performance.now();
  };

  const remember = (request: number, error: unknown): void => {
    rejections.set(request, error);
    const [oldest] = rejections.keys();
    if (rejections.size > MAX_REMEMBERED && oldest !== undefined) rejections.delete(oldest);
  };

  const answer = (request: number, outcome: Outcome): void => {
    const trace = traceOf(next);
    try {
      send({ type: 'reply', call: id, request, outcome, ...(trace === undefined ? {} : { trace }) });
    } catch (error) {
      const failure = failureOf(notCloneable(file, 'What the host answered', error));
      send({ type: 'reply', call: id, request, outcome: { ok: false, failure } });
    }
  };

  const pending: Pending = {
    id,
    event,
    budgetMs,
    begin: (now) => {
      since ??= outside === 0 ? now : undefined;
    },
    spent: (now) => own + (since === undefined ? 0 : now - since),
    serve(message) {
      if (settled) return;
      if (requests >= MAX_REQUESTS) {
        return pending.fail(
          failed('garbage', 'modules.hook-threw', {
            file,
            what: `It asked for more than ${MAX_REQUESTS} things at once`,
          }),
        );
      }
      requests++;
      const counts = message.type === 'op' && metered?.(message.path) === true;
      if (!counts) pause();
      void run(message, next, op)
        .then(
          (value) => settled || answer(message.request, { ok: true, value }),
          (error: unknown) => {
            remember(message.request, error);
            if (!settled) answer(message.request, { ok: false, failure: failureOf(error) });
          },
        )
        .finally(() => {
          requests--;
          if (!counts) resume();
        });
    },
    note: (code, reason) => {
      if (!settled) next.note?.(code, reason);
    },
    settle(outcome) {
      if (!finish()) return;
      if (outcome.ok) return resolve(outcome.value);
      const { request } = outcome.failure;
      if (request !== undefined && rejections.has(request)) reject(rejections.get(request));
      else reject(errorOf(outcome.failure, file));
    },
    fail(error) {
      if (finish()) reject(error);
    },
  };
  return pending;
}

async function run(
  message: FromWorker & { type: 'next' | 'op' },
  next: NextLike,
  op: CallOptions['op'],
): Promise<unknown> {
  if (message.type === 'op') {
    if (op === undefined) throw new Error(`$.${message.path.join('.')} is not available to this hook`);
    return op(message.path, message.args);
  }
  if (message.tier === undefined) return next(message.e);
  if (next.to === undefined) throw new Error('next.to is not available to this hook');
  return next.to(message.e, message.tier as never);
}

/** The trace, where it is plain enough to be sent. */
function traceOf(next: NextLike): unknown {
  try {
    return next.trace === undefined ? undefined : structuredClone(next.trace);
  } catch {
    return undefined;
  }
}

export const notCloneable = (file: string, what: string, cause: unknown): TrotlineError =>
  failed('shape', 'modules.not-cloneable', {
    file,
    what: `${what} cannot pass between threads (${cause instanceof Error ? cause.message.slice(0, 200) : 'it cannot be cloned'})`,
    cause,
  });
