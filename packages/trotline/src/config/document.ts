import type { Place } from '@trotline/engine';
import type { Node } from 'jsonc-parser';
import type { Reporter } from './problem.ts';
import type { Source } from './source.ts';

/** A step from a container to what is in it. */
export type Step = string | number;

/** Plain data that remembers where in the file each part of it stands. */
export interface Document {
  readonly file: string;
  /** Objects, lists, strings, numbers, booleans and null. Parts found faulty are removed from it by `drop`. */
  readonly root: unknown;
  /** Where `container` itself starts, or the value at `step`; with `key`, where the key is written. */
  place(container: object, step?: Step, at?: 'key' | 'value'): Place;
  /** Takes a faulty part out, so that the rest can still be read. */
  drop(container: object, step: Step): void;
  /** Whether a faulty value stood at this key, so that its absence is no second fault. */
  dropped(container: object, key: string): boolean;
}

interface Spot {
  readonly path: string;
  readonly offset: number;
  /** By key, or in the order of the list. */
  readonly keys: Map<string, { readonly key: number; readonly value: number }>;
  readonly items: { readonly index: number; readonly offset: number }[];
}

// Assigning to these on an ordinary object reaches its prototype, here or in whoever copies the data later.
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Builds the data of a syntax tree, reporting names given twice and names that must not be keys. */
export function toDocument(source: Source, tree: Node, report: Reporter): Document {
  const { file, lines } = source;
  const spots = new WeakMap<object, Spot>();

  function build(node: Node, path: string): unknown {
    if (node.type === 'object') return buildObject(node, path);
    if (node.type === 'array') return buildList(node, path);
    return node.value;
  }

  function buildList(node: Node, path: string): unknown[] {
    const children = node.children ?? [];
    const list = children.map((child, index) => build(child, join(path, index)));
    const items = children.map((child, index) => ({ index, offset: child.offset }));
    spots.set(list, { path, offset: node.offset, keys: new Map(), items });
    return list;
  }

  function buildObject(node: Node, path: string): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const keys: Spot['keys'] = new Map();
    for (const property of node.children ?? []) {
      const [keyNode, valueNode] = property.children ?? [];
      if (keyNode === undefined || valueNode === undefined) continue;
      const key: string = keyNode.value;
      const place = { file, ...lines.at(keyNode.offset), key: join(path, key) };
      const first = keys.get(key);
      if (RESERVED.has(key)) {
        report.error('config.reserved-key', place, { what: `The key "${key}" is not allowed` });
      } else if (first !== undefined) {
        report.error('config.duplicate-name', place, {
          what: `The key "${shown(key)}" is given twice`,
          expected: `one "${shown(key)}"; the first is on line ${lines.at(first.key).line}`,
        });
      } else {
        keys.set(key, { key: keyNode.offset, value: valueNode.offset });
        object[key] = build(valueNode, join(path, key));
      }
    }
    spots.set(object, { path, offset: node.offset, keys, items: [] });
    return object;
  }

  const at = (offset: number, path: string): Place => ({
    file,
    ...lines.at(offset),
    ...(path === '' ? {} : { key: path }),
  });

  return {
    file,
    root: build(tree, ''),
    place(container, step, which = 'value') {
      const spot = spots.get(container);
      if (spot === undefined) return { file };
      if (typeof step === 'number') {
        const item = spot.items[step];
        return item === undefined ? at(spot.offset, spot.path) : at(item.offset, join(spot.path, item.index));
      }
      const entry = step === undefined ? undefined : spot.keys.get(step);
      if (entry !== undefined && step !== undefined) return at(entry[which], join(spot.path, step));
      return at(spot.offset, step === undefined ? spot.path : join(spot.path, step));
    },
    drop(container, step) {
      if (Array.isArray(container)) {
        container.splice(Number(step), 1);
        spots.get(container)?.items.splice(Number(step), 1);
      } else Reflect.deleteProperty(container, step);
    },
    dropped: (container, key) => !Object.hasOwn(container, key) && spots.get(container)?.keys.has(key) === true,
  };
}

const join = (path: string, step: Step): string =>
  path === '' ? shown(String(step)) : `${path}.${shown(String(step))}`;

/** A name as it may be shown on a terminal: bounded, without characters that could steer it. */
export function shown(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 79)}…` : name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a terminal
  return short.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
