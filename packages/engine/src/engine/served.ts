import { type CallableName, callable, ops } from '../events/catalogue.ts';
import type { EventDef } from '../events/define.ts';
import { TrotlineError } from '../events/errors.ts';
import { defineOp, type OpDef } from '../events/ops/define.ts';
import { t } from '../events/shape.ts';
import type { OpBottom, ServedTool } from './types.ts';

const known: Readonly<Record<string, OpDef>> = ops as never;
const names = new Set<string>(callable);
const oneName = /^[A-Za-z][A-Za-z0-9_-]{0,63}\.[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** What a host serves beneath `$`: bottoms by op name, tools by name, and nouns that were added. */
export interface Served {
  bottom(name: string): OpBottom | undefined;
  tool(name: string): ServedTool | undefined;
  /** The event of an added noun's method. */
  added(name: string): OpDef | undefined;
  /** Every op with a bottom. */
  names(): readonly string[];
  /** Counts up when a noun comes or goes. */
  readonly version: number;
  addedNames(): readonly string[];
  serve(bottoms: Readonly<Record<string, OpBottom>>, tools?: (name: string) => ServedTool | undefined): () => void;
}

const isCallable = (name: string): name is CallableName => names.has(name);

/** A method of an added noun: its event holds the first argument. */
function addedOp(name: string): OpDef {
  const op = defineOp({
    name,
    doc: 'A method of an added noun; its event holds the first argument.',
    fields: {},
    args: (first: Readonly<Record<string, unknown>> = {}) => first as Record<never, never>,
    value: t.json,
    changes: true,
  });
  // Whatever the first argument holds may be rewritten.
  return { ...op, open: true, pinned: () => false } as unknown as OpDef;
}

/** Later bottoms stand over earlier ones, and give way again when they are taken back. */
export function createServed(first: Readonly<Record<string, OpBottom>>): Served {
  let layers: {
    readonly bottoms: Readonly<Record<string, OpBottom>>;
    readonly tools?: (name: string) => ServedTool | undefined;
  }[] = [];
  const added = new Map<string, OpDef>();
  let version = 0;

  const has = (bottoms: Readonly<Record<string, OpBottom>>, name: string): boolean => Object.hasOwn(bottoms, name);
  const bottom = (name: string): OpBottom | undefined =>
    layers.find((layer) => has(layer.bottoms, name))?.bottoms[name];

  const serve: Served['serve'] = (bottoms, tools) => {
    for (const name of Object.keys(bottoms)) {
      if (Object.hasOwn(known, name) || isCallable(name) || added.has(name)) continue;
      if (!oneName.test(name)) {
        throw new TrotlineError('engine.no-op', { what: `"${name}" is no name of an op`, expected: 'noun.method' });
      }
      added.set(name, addedOp(name));
      version += 1;
    }
    const layer = { bottoms, ...(tools === undefined ? {} : { tools }) };
    layers = [layer, ...layers];
    return () => {
      layers = layers.filter((other) => other !== layer);
      for (const name of Object.keys(bottoms)) {
        if (added.has(name) && bottom(name) === undefined) {
          added.delete(name);
          version += 1;
        }
      }
    };
  };
  serve(first);

  return {
    bottom,
    tool: (name) => {
      for (const layer of layers) {
        const tool = layer.tools?.(name);
        if (tool !== undefined) return tool;
      }
      return undefined;
    },
    added: (name) => added.get(name),
    addedNames: () => [...added.keys()],
    names: () => [...new Set(layers.flatMap((layer) => Object.keys(layer.bottoms)))].sort(),
    get version() {
      return version;
    },
    serve,
  };
}

/** The rules of an event, as the chain needs them. */
export type Rules = EventDef;
