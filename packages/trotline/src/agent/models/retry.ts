import { setTimeout as sleep } from 'node:timers/promises';
import { TrotlineError } from '@trotline/engine';
import { classifyFailure, type Failure, SilentServer } from './failure.ts';
import type { Chunk, ModelResponse, SendContext } from './types.ts';

/** How patient a model is. Times in milliseconds. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The first wait; doubled for each further one. */
  readonly backoffMs: number;
  /** The longest wait. A server that asks for a longer one is not asked again. */
  readonly maxBackoffMs: number;
  /** How long a server may be silent, before its first word and between two. */
  readonly timeoutMs: number;
}

export const retryPolicy: RetryPolicy = { maxRetries: 4, backoffMs: 500, maxBackoffMs: 60_000, timeoutMs: 180_000 };

export type Attempt = (signal: AbortSignal) => AsyncGenerator<Chunk, ModelResponse>;

/**
 * Attempts a request until it is answered, as long as nothing of an answer was shown. An answer that breaks off
 * afterwards throws `agent.model-cut`: the chunks are out, so only the loop can start the step over.
 */
export async function* withRetries(
  attempt: Attempt,
  policy: RetryPolicy,
  { signal, onRetry }: SendContext,
  target: { readonly url: string; readonly secrets: readonly string[] },
): AsyncGenerator<Chunk, ModelResponse> {
  for (let retries = 0; ; retries++) {
    signal.throwIfAborted();
    let shown = false;
    let failure: Failure;
    try {
      const stream = watched(attempt, policy.timeoutMs, signal);
      for (;;) {
        const next = await stream.next();
        if (next.done === true) return next.value;
        shown = true;
        yield next.value;
      }
    } catch (thrown) {
      signal.throwIfAborted();
      failure = classifyFailure(thrown, target.url, target.secrets);
    }
    const { error, retry, retryAfterMs } = failure;
    if (retry === undefined) throw error;
    if (shown) {
      const { what } = error.detail;
      throw new TrotlineError('agent.model-cut', { what: `the answer broke off in the middle: ${what}`, cause: error });
    }
    if (retries >= policy.maxRetries) throw afterRetries(error, retries);
    const backoffMs = Math.round(retryAfterMs ?? Math.min(policy.backoffMs * 2 ** retries, policy.maxBackoffMs));
    if (backoffMs > policy.maxBackoffMs) throw afterRetries(error, retries, backoffMs);
    onRetry?.({
      attempt: retries + 1,
      maxRetries: policy.maxRetries,
      reason: retry,
      error: error.detail.what,
      backoffMs,
    });
    await sleep(backoffMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function afterRetries(error: TrotlineError, retries: number, asked?: number): TrotlineError {
  const wait = asked === undefined ? '' : `; it asks to wait ${Math.ceil(asked / 1000)} s`;
  const tried = retries === 0 ? '' : ` (tried ${retries + 1} times)`;
  return new TrotlineError(error.code, { ...error.detail, what: `${error.detail.what}${tried}${wait}` });
}

/** One attempt, ended when the server is silent for too long. */
async function* watched(
  attempt: Attempt,
  timeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk, ModelResponse> {
  const silence = new AbortController();
  const silent = new SilentServer(`nothing came for ${timeoutMs} ms`);
  const stream = attempt(AbortSignal.any([signal, silence.signal]));
  let settled = false;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      let onAbort: (() => void) | undefined;
      const given = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          silence.abort(silent);
          reject(silent);
        }, timeoutMs);
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
      });
      try {
        const next = await Promise.race([stream.next(), given]);
        if (next.done === true) {
          settled = true;
          return next.value;
        }
        yield next.value;
      } finally {
        clearTimeout(timer);
        if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
      }
    }
  } finally {
    if (!settled) {
      silence.abort(silent);
      stream.return(undefined as never).catch(() => {});
    }
  }
}
