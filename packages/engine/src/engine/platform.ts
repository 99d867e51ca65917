// The little that the engine takes of its platform beside timers: it compiles with the types of neither Node nor a browser.
const platform = globalThis as unknown as {
  readonly AbortSignal: { any(signals: readonly AbortSignal[]): AbortSignal };
  readonly crypto: { randomUUID(): string };
};

/** An id for a call or a row that nobody named. */
export const randomId = (): string => platform.crypto.randomUUID();

/** A signal that fires with the first of some others. */
export const anySignal = (...signals: readonly AbortSignal[]): AbortSignal => platform.AbortSignal.any(signals);

export const isSignal = (value: unknown): value is AbortSignal =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as AbortSignal).aborted === 'boolean' &&
  typeof (value as AbortSignal).addEventListener === 'function';
