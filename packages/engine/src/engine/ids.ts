/** An id for a call or a row that nobody named. */
export const randomId = (): string => globalThis.crypto.randomUUID();
