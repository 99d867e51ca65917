/** A description of plain data: it checks values, and types, pages and JSON Schemas derive from it. */
export interface Shape<T> {
  readonly kind: string;
  readonly doc?: string;
  readonly optional?: boolean;
  /** A hook may change it when calling `next`. */
  readonly rewritable?: boolean;
  /** Why a value does not fit, or undefined. */
  misfit(value: unknown, path: string): string | undefined;
  schema(): Record<string, unknown>;
  /** Type only. */
  readonly _t?: T;
}

export type Infer<S> = S extends Shape<infer T> ? T : never;
type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F];
type Simplify<T> = { [K in keyof T]: T[K] };
export type InferFields<F> = Simplify<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: Infer<F[K]> | undefined;
  }
>;

const simple = <T>(kind: string, fits: (value: unknown) => boolean): Shape<T> => ({
  kind,
  misfit: (value, path) => (fits(value) ? undefined : `${path} is not ${kind}`),
  schema: () => (kind === 'json' ? {} : { type: kind }),
});

const object = <const F extends Fields>(fields: F): Shape<InferFields<F>> & { readonly fields: F } => ({
  kind: 'object',
  fields,
  misfit: (value, path) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return `${path} is not an object`;
    for (const key of Object.keys(fields)) {
      const shape = fields[key] as Shape<unknown>;
      const field = (value as Record<string, unknown>)[key];
      if (field === undefined) {
        if (shape.optional !== true) return `${path} has no { ${key} }`;
        continue;
      }
      const problem = shape.misfit(field, `${path}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  schema: () => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([k, s]) => [k, s.schema()])),
    required: Object.keys(fields).filter((k) => fields[k]?.optional !== true),
  }),
});

/** The builders of shapes. */
export const t = {
  string: simple<string>('string', (v) => typeof v === 'string'),
  number: simple<number>('number', (v) => typeof v === 'number'),
  boolean: simple<boolean>('boolean', (v) => typeof v === 'boolean'),
  /** Any plain data. */
  json: simple<unknown>('json', () => true),
  oneOf: <const V extends readonly (string | number | boolean | null)[]>(...values: V): Shape<V[number]> => ({
    kind: 'enum',
    misfit: (value, path) =>
      values.includes(value as V[number]) ? undefined : `${path} is none of ${values.map(String).join(', ')}`,
    schema: () => ({ enum: values }),
  }),
  list: <T>(of: Shape<T>): Shape<readonly T[]> => ({
    kind: 'list',
    misfit: (value, path) => {
      if (!Array.isArray(value)) return `${path} is not a list`;
      for (let i = 0; i < value.length; i++) {
        const problem = of.misfit(value[i], `${path}[${i}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
    schema: () => ({ type: 'array', items: of.schema() }),
  }),
  object,
  union: <const S extends readonly Shape<unknown>[]>(...of: S): Shape<Infer<S[number]>> => ({
    kind: 'union',
    misfit: (value, path) => {
      let first: string | undefined;
      for (const shape of of) {
        const problem = shape.misfit(value, path);
        if (problem === undefined) return undefined;
        first ??= problem;
      }
      return first;
    },
    schema: () => ({ anyOf: of.map((s) => s.schema()) }),
  }),
  optional: <S extends Shape<unknown>>(shape: S): S & { readonly optional: true } => ({ ...shape, optional: true }),
  /** Marks a field that a hook may change when it calls `next`. */
  write: <S extends Shape<unknown>>(shape: S): S & { readonly rewritable: true } => ({ ...shape, rewritable: true }),
};
