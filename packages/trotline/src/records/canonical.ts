import { createHmac } from 'node:crypto';
import { TrotlineError } from '@trotline/engine';

const maxDepth = 200;

/**
 * The one spelling of a JSON value: keys sorted by UTF-16 code units, no spaces, numbers as JavaScript writes them, absent and
 * `undefined` members alike. Equal text means equal value, so what cannot be spelt without loss is refused. Throws `records.not-json`.
 */
export function canonicalJson(value: unknown): string {
  return spell(value, 0, '');
}

/** HMAC-SHA256 of a call's canonical JSON, in hex. Keyed, so that a digest in a log cannot be guessed back into its call. */
export function digestCall(key: Uint8Array, call: { readonly tool: string; readonly input: unknown }): string {
  return createHmac('sha256', key)
    .update(canonicalJson({ tool: call.tool, input: call.input }))
    .digest('hex');
}

function spell(value: unknown, depth: number, path: string): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson(path, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw notJson(path, `a ${typeof value}`);
  // A cycle is endless depth; one bound stops both.
  if (depth >= maxDepth) throw notJson(path, `nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, at) => spell(item === undefined ? null : item, depth + 1, `${path}[${at}]`)).join(',')}]`;
  }
  // Plain objects of any realm have a prototype that has none; a Date, a Map or an instance would lose what it holds.
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && Object.getPrototypeOf(proto) !== null) throw notJson(path, 'an object of a class');
  const record = value as Readonly<Record<string, unknown>>;
  const members: string[] = [];
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${spell(member, depth + 1, `${path}.${key}`)}`);
  }
  return `{${members.join(',')}}`;
}

function notJson(path: string, found: string): TrotlineError {
  const at = path === '' ? 'The value' : `The value at ${path.slice(0, 200)}`;
  return new TrotlineError('records.not-json', { what: `${at} is ${found}`, expected: 'plain JSON data' });
}
