import { type Fields, type InferFields, type Schema, t } from '../shape.ts';

/** A named fact that nobody can answer. */
export interface NoticeDef<N extends string = string, D = unknown> {
  readonly name: N;
  /** One line for the reference. */
  readonly doc: string;
  readonly fields: Fields;
  schema(): Schema;
  /** Type only. */
  readonly _d?: D;
}

export type NoticeData<T> = T extends NoticeDef<string, infer D> ? D : never;

/** Defines a notice once. */
export function defineNotice<const N extends string, const F extends Fields>(
  name: N,
  doc: string,
  fields: F,
): NoticeDef<N, InferFields<F>> {
  return { name, doc, fields, schema: () => t.object(fields).schema() };
}
