import { HookFailure } from '@trotline/engine';

export type Obj = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Obj =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A reply that does not fit is a failure of the hook, class `shape`: its policy decides. `what` goes on from its name. */
export function misfit(what: string): never {
  throw new HookFailure('shape', what);
}

/** A field by its name; as Go's decoder, without regard to case where the exact spelling is missing. */
export function field(holder: Obj | undefined, name: string): unknown {
  if (holder === undefined) return undefined;
  if (Object.hasOwn(holder, name)) return holder[name];
  const found = Object.keys(holder).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : holder[found];
}

/** An object, or undefined where it is absent or null. */
export function objectField(holder: Obj | undefined, name: string): Obj | undefined {
  const value = field(holder, name);
  if (value === undefined || value === null) return undefined;
  return isObject(value) ? value : misfit(`answered a "${name}" that is not an object`);
}

/** A text, or undefined where it is absent or null. */
export function textField(holder: Obj | undefined, name: string): string | undefined {
  const value = field(holder, name);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : misfit(`answered a "${name}" that is not a text`);
}

/** A truth value, or undefined where it is absent or null. */
export function flagField(holder: Obj | undefined, name: string): boolean | undefined {
  const value = field(holder, name);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'boolean' ? value : misfit(`answered a "${name}" that is neither true nor false`);
}

/** A list, or undefined where it is absent or null. */
export function listField(holder: Obj | undefined, name: string): readonly unknown[] | undefined {
  const value = field(holder, name);
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : misfit(`answered a "${name}" that is not a list`);
}

/** Equality of plain data, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/**
 * One value that a reply may give under several spellings, all of which were sent (rule M-2): a spelling that came back
 * changed beats one that came back as it was sent, so that a hook may echo everything and edit one. `undefined`: unchanged.
 */
export function changed<T>(sent: T, what: string, spellings: readonly (T | undefined)[]): T | undefined {
  const edited = spellings.filter((value): value is T => value !== undefined && !same(value, sent));
  const [first] = edited;
  if (edited.some((other) => !same(other, first))) misfit(`changed ${what} under two spellings, each differently`);
  return first;
}
