import { defineEvent, type EventDef } from '../define.ts';
import { type Fields, type InferFields, type Shape, t } from '../shape.ts';

export interface OpSpec<N extends string, F extends Fields, A extends readonly unknown[], V> {
  readonly name: N;
  /** One line for the reference: what the call does. */
  readonly doc: string;
  /** Fields of the event. A hook may rewrite all but the `pinned` ones. */
  readonly fields: F;
  readonly pinned?: readonly (keyof F)[];
  /** From the arguments of the call to the data of its event. */
  readonly args: (...args: A) => InferFields<F>;
  readonly value: Shape<V>;
  /** Does it change anything? Such an op is refused in a dry run. */
  readonly changes: boolean;
  /** Its caller gets nothing back and does not wait; a deny is told to the log only. */
  readonly silent?: true;
  /** A stream, of chunks of this shape. */
  readonly stream?: Shape<unknown>;
}

/** An op's result: what it answers its caller with, or why it does not. */
export type OpResult<V> = { readonly value: V } | { readonly deny: string };

export interface OpDef<
  N extends string = string,
  E = unknown,
  A extends readonly unknown[] = readonly never[],
  V = unknown,
> extends EventDef<N, E, OpResult<V>> {
  readonly args: (...args: A) => E;
  readonly changes: boolean;
  readonly silent: boolean;
}

/** Defines an op once: the event that every call of `$.noun.method` is. */
export function defineOp<const N extends string, const F extends Fields, A extends readonly unknown[], V>(
  spec: OpSpec<N, F, A, V>,
): OpDef<N, InferFields<F>, A, V> {
  const { name, doc, pinned = [], value, stream, fields, changes, silent, args } = spec;
  const writable = Object.fromEntries(
    Object.entries(fields).map(([key, shape]) => [key, pinned.includes(key) ? shape : t.write(shape)]),
  ) as F;
  const event = defineEvent({
    name,
    doc,
    fields: writable,
    result: t.either(t.object({ value }), t.object({ deny: t.string })) as Shape<OpResult<V>>,
    refusal: (reason) => ({ deny: reason }),
    world: 'op',
    ...(stream === undefined ? {} : { stream, budgetPerChunk: true as const }),
  });
  return { ...event, args, changes, silent: silent === true } as unknown as OpDef<N, InferFields<F>, A, V>;
}

/** The fields that were given. */
export const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
