/** The most bytes a file, a stream or a store may carry through one op: 4 MiB. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** The most bytes of a response body. */
export const MAX_BODY = 16 * 1024 * 1024;

/** A text field of an op's data, or a clear refusal. */
export function text(e: Readonly<Record<string, unknown>>, field: string): string {
  const value = e[field];
  if (typeof value !== 'string') throw new TypeError(`${field} is not a string`);
  return value;
}
