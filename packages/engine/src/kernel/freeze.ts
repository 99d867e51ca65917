import { KernelError } from './failure.ts';

const { freeze, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Object;

/** How deep and how large plain data may be. A value that contains itself meets the first bound. */
const bounds = { depth: 500, nodes: 2_000_000 };

class Identity {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what puts the field of `Mark` on another object
    return target;
  }
}

/**
 * The mark of what was copied and frozen here to every depth: a private field that cannot be forged, read or taken off.
 * It costs a fiftieth of a WeakSet.
 */
class Mark extends Identity {
  #frozen = true;
  static on(target: object): boolean {
    return #frozen in target;
  }
}

/** What a copy met on its way. */
export interface Findings {
  /** Bytes or a date, which cannot be frozen: the value is copied again wherever it changes hands. */
  soft?: boolean | undefined;
  /** A `__proto__` key was left out. */
  dropped?: boolean | undefined;
}

interface Walk extends Findings {
  nodes: number;
  readonly owned: boolean;
  readonly path: (string | number)[];
}

/**
 * Copies plain data and freezes the copy in the same walk; what was frozen here before is shared, not walked again.
 * `owned` freezes in place instead. Throws a `KernelError` (`kernel.not-plain`) for what is not plain data: a function, a
 * symbol, an accessor, an object of a class, a cycle, or more than the bounds allow.
 */
export function freezeCopy<T>(value: T, owned = false, findings?: Findings): T {
  if (value === null || typeof value !== 'object')
    return typeof value === 'function' ? refuse([], 'a function') : value;
  if (Mark.on(value)) return value;
  const walk: Walk = { nodes: 0, owned, path: [] };
  const copy = node(value, walk, 0);
  if (findings !== undefined && (walk.soft || walk.dropped)) {
    findings.soft ||= walk.soft;
    findings.dropped ||= walk.dropped;
  }
  return copy as T;
}

function node(value: object, walk: Walk, depth: number): object {
  if (Mark.on(value)) return value;
  if (depth > bounds.depth) refuse(walk.path.slice(0, 3), `nested deeper than ${bounds.depth}, or contains itself`);
  const inPlace = walk.owned && isExtensible(value);
  const softBefore = walk.soft;
  walk.soft = undefined;
  let copy: object;
  if (Array.isArray(value)) copy = list(value, inPlace, walk, depth);
  else {
    const proto = getPrototypeOf(value);
    // An object of another realm has that realm's Object.prototype, which has no prototype itself.
    if (proto === null || proto === Object.prototype || getPrototypeOf(proto) === null) {
      copy = record(value as Record<string, unknown>, inPlace, walk, depth);
    } else {
      walk.soft = true;
      return soft(value, walk, depth);
    }
  }
  // The mark says that nothing within can change. Not so where bytes or a date are.
  if (walk.soft === undefined) new Mark(copy);
  walk.soft ||= softBefore;
  return freeze(copy);
}

function list(value: readonly unknown[], inPlace: boolean, walk: Walk, depth: number): object {
  const { length } = value;
  count(walk, length, depth);
  const copy = inPlace ? (value as unknown[]) : new Array<unknown>(length);
  for (let i = 0; i < length; i++) {
    const item = value[i];
    if (item === null || (typeof item !== 'object' && typeof item !== 'function' && typeof item !== 'symbol')) {
      if (!inPlace) copy[i] = item;
    } else {
      walk.path[depth] = i;
      copy[i] = member(item, walk, depth);
    }
  }
  return copy;
}

function record(value: Record<string, unknown>, inPlace: boolean, walk: Walk, depth: number): object {
  const copy: Record<string, unknown> = inPlace ? value : {};
  let size = 0;
  for (const key in value) {
    const own = getOwnPropertyDescriptor(value, key);
    if (own === undefined) continue;
    if (key === '__proto__') {
      walk.dropped = true;
      if (inPlace) delete value[key];
      continue;
    }
    size++;
    walk.path[depth] = key;
    if (own.get !== undefined || own.set !== undefined) refuse(walk.path.slice(0, depth + 1), 'an accessor');
    const item: unknown = own.value;
    if (item === null || (typeof item !== 'object' && typeof item !== 'function' && typeof item !== 'symbol')) {
      if (!inPlace) copy[key] = item;
    } else copy[key] = member(item, walk, depth);
  }
  count(walk, size, depth);
  return copy;
}

function member(item: unknown, walk: Walk, depth: number): unknown {
  if (typeof item === 'object' && item !== null) return node(item, walk, depth + 1);
  return refuse(walk.path.slice(0, depth + 1), `a ${typeof item}`);
}

const elements = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;

/** What can be cloned and not frozen. Built with what the platform made, never by a constructor the value names. */
function soft(value: object, walk: Walk, depth: number): object {
  if (value instanceof Date) return new Date(value);
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) {
    const name = elements?.call(value) as 'Uint8Array' | undefined;
    if (name !== undefined) return new globalThis[name](value as Uint8Array);
    return new DataView(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
  }
  return refuse(walk.path.slice(0, depth), 'an object of a class');
}

function count(walk: Walk, size: number, depth: number): void {
  walk.nodes += size;
  if (walk.nodes > bounds.nodes) refuse(walk.path.slice(0, depth), `larger than ${bounds.nodes} values`);
}

function refuse(path: readonly (string | number)[], what: string): never {
  const place = path.length === 0 ? 'the value' : path.join('.');
  throw new KernelError('not-plain', `${place} is ${what}, and only plain data travels on the line`);
}

/** Are two pieces of plain data equal to every depth? What we froze is mostly the same object. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (getPrototypeOf(a) !== getPrototypeOf(b)) return false;
  if (a instanceof Date) return a.getTime() === (b as Date).getTime();
  const left = view(a);
  const right = view(b);
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}

const view = (value: object): Record<string, unknown> =>
  (value instanceof ArrayBuffer ? new Uint8Array(value) : value) as Record<string, unknown>;
