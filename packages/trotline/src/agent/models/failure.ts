import { TrotlineError } from '@trotline/engine';
import { CutStream } from './provider.ts';
import type { RetryReason } from './types.ts';

/** A failed attempt, told apart. */
export interface Failure {
  readonly error: TrotlineError;
  /** Present where another attempt may mend it. */
  readonly retry?: RetryReason;
  /** What the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** The attempt was silent for too long. */
export class SilentServer extends Error {
  override readonly name = 'SilentServer';
}

const shownChars = 600;
const contextFull =
  /context.{0,20}(length|window|limit|size)|prompt is too long|maximum context|too many (input )?tokens|input is too long|exceeds? .{0,40}token/i;

/** What a provider's errors carry. Read by shape, so that nothing of the SDK is loaded to look at one. */
interface CallError {
  readonly statusCode?: number;
  readonly url?: string;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** Tells apart what went wrong with one attempt. `secrets` are replaced in what is shown; servers quote keys. */
export function classifyFailure(thrown: unknown, url: string, secrets: readonly string[]): Failure {
  const cause = lastError(thrown);
  const { statusCode, responseBody, responseHeaders = {} } = cause as CallError;
  const body = responseBody || errorText(cause);
  const words = clean(messageIn(body) ?? body, secrets);
  const at = (cause as CallError).url ?? url;

  if (cause instanceof SilentServer) {
    const what = `the model server at ${url} was silent: ${cause.message}`;
    return { error: new TrotlineError('agent.model-timeout', { what }), retry: 'timeout' };
  }
  if (statusCode !== undefined && statusCode >= 400) {
    const full = (statusCode === 400 || statusCode === 413) && contextFull.test(body);
    const bad = statusCode === 400 || statusCode === 422;
    const code = full ? 'agent.context-full' : bad ? 'agent.request-refused' : 'agent.model-refused';
    const error = new TrotlineError(code, {
      what: `the model server answered ${statusCode}: ${words} (${at})`,
      cause,
    });
    if (statusCode === 429) return { error, retry: 'rate_limit', ...retryAfter(responseHeaders) };
    if (statusCode >= 500 || statusCode === 408)
      return { error, retry: 'server_error', ...retryAfter(responseHeaders) };
    return { error };
  }
  if (!(cause instanceof Error)) {
    // An error event inside a stream is the vendor's JSON, no Error.
    const error = new TrotlineError('agent.model-refused', { what: `the model server at ${url} broke off: ${words}` });
    return /overloaded|rate.?limit|server.?error|api_error|internal/i.test(body)
      ? { error, retry: 'server_error' }
      : { error };
  }
  if (cause instanceof CutStream || isNetworkError(cause)) {
    const what = `the model server at ${at} could not be reached: ${words}`;
    return { error: new TrotlineError('agent.model-unreachable', { what, cause }), retry: 'network' };
  }
  return { error: new TrotlineError('agent.model-refused', { what: `the request to ${at} failed: ${words}`, cause }) };
}

function isNetworkError(error: Error): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (code !== undefined && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return true;
    if (/cannot connect|fetch failed|terminated|socket|network/i.test(at.message)) return true;
  }
  return false;
}

/** Retry helpers wrap the error that counts. */
const lastError = (thrown: unknown): unknown => (thrown as { lastError?: unknown } | null)?.lastError ?? thrown;

function retryAfter(headers: Readonly<Record<string, string>>): { retryAfterMs?: number } {
  const ms = Number(headers['retry-after-ms']);
  if (Number.isFinite(ms) && ms >= 0) return { retryAfterMs: ms };
  const value = headers['retry-after'];
  if (value === undefined) return {};
  const seconds = Number(value);
  if (Number.isFinite(seconds) && seconds >= 0) return { retryAfterMs: seconds * 1000 };
  const date = Date.parse(value);
  return Number.isNaN(date) ? {} : { retryAfterMs: Math.max(date - Date.now(), 0) };
}

/** The sentence in a server's JSON. Every vendor wraps it in the same way, or in nearly the same. */
function messageIn(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { error = parsed } = Object(parsed) as { error?: unknown };
  const said = typeof error === 'string' ? error : (Object(error) as { message?: unknown }).message;
  return typeof said === 'string' && said.trim() !== '' ? said : undefined;
}

function errorText(cause: unknown): string {
  if (cause instanceof Error) return cause.message;
  return typeof cause === 'string' ? cause : (JSON.stringify(cause) ?? String(cause));
}

function clean(text: string, secrets: readonly string[]): string {
  let shown = text.replace(/\s+/g, ' ').trim();
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, '[key]');
  return shown.length > shownChars ? `${shown.slice(0, shownChars)}…` : shown;
}
