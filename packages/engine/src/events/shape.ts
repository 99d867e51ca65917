/** Plain JSON Schema, as far as shapes say it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A description of plain data: it checks values, and types, pages and JSON Schemas derive from it. */
export interface Shape<T> {
  readonly optional?: boolean;
  /** A hook may change it when calling `next`. */
  readonly rewritable?: boolean;
  /** The fields of an object. */
  readonly fields?: Fields;
  /** Why a value does not fit, or undefined. `path` says where in it, `''` at its root. */
  misfit(value: unknown, path: string): string | undefined;
  schema(): Schema;
  /** Its type, as TypeScript writes it. */
  text(): string;
  /** Type only. */
  readonly _t?: T;
}

export type Infer<S> = S extends Shape<infer T> ? T : never;
export type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F];
type Simplify<T> = { [K in keyof T]: T[K] };
export type InferFields<F> = Simplify<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: Infer<F[K]> | undefined;
  }
>;

type KeysOf<U> = U extends unknown ? keyof U : never;
/** One of several objects, so that the fields of the others may be read, and are absent. */
export type Exclusive<U, All = U> = U extends unknown
  ? Simplify<U & { readonly [K in Exclude<KeysOf<All>, keyof U>]?: undefined }>
  : never;

const said = (path: string): string => (path === '' ? 'it' : path);

/** What a value is, in the words of a message. Never the value itself: it may be a secret. */
function named(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const simple = <T>(kind: string, fits: (value: unknown) => boolean): Shape<T> => ({
  misfit: (value, path) => (fits(value) ? undefined : `${said(path)} is ${named(value)}, not a ${kind}`),
  schema: () => ({ type: kind }),
  text: () => kind,
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const member = (key: string, shape: Shape<unknown>): string => {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`;
  const type = shape.text();
  const isOptional = shape.optional === true;
  return `readonly ${name}${isOptional ? '?' : ''}: ${type}${isOptional && type !== 'unknown' ? ' | undefined' : ''}`;
};

const text = (fields: Fields): string => {
  const members = Object.entries(fields).map(([key, shape]) => member(key, shape));
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
};

const object = <const F extends Fields>(fields: F): Shape<InferFields<F>> & { readonly fields: F } => {
  const keys = Object.keys(fields);
  return {
    fields,
    misfit: (value, path) => {
      if (!isObject(value)) return `${said(path)} is ${named(value)}, not an object`;
      for (const key of keys) {
        const shape = fields[key] as Shape<unknown>;
        const field = value[key];
        if (field === undefined && shape.optional === true) continue;
        if (field === undefined && !allowsNothing(shape)) return `${path === '' ? '' : `${path} has `}no { ${key} }`;
        const problem = shape.misfit(field, path === '' ? key : `${path}.${key}`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
    schema: () => {
      const required = keys.filter((k) => fields[k]?.optional !== true && !allowsNothing(fields[k] as Shape<unknown>));
      return {
        type: 'object',
        properties: Object.fromEntries(keys.map((k) => [k, (fields[k] as Shape<unknown>).schema()])),
        ...(required.length === 0 ? {} : { required }),
      };
    },
    text: () => text(fields),
  };
};

const allowsNothing = (shape: Shape<unknown>): boolean => shape.misfit(undefined, '') === undefined;

/** The field an object must have: what a result is told apart by. */
const tag = (shape: Shape<unknown>): string | undefined =>
  Object.entries(shape.fields ?? {}).find(([, field]) => field.optional !== true)?.[0];

/** One of several objects, told apart by their first required field; two at once fit none. */
const either = <const S extends readonly Shape<unknown>[]>(...of: S): Shape<Infer<S[number]>> => {
  const tags = of.map(tag);
  const list = tags.map((key) => `{ ${key} }`);
  const wanted = list.length === 2 ? `neither ${list[0]} nor ${list[1]}` : `none of ${list.join(', ')}`;
  return {
    misfit: (value, path) => {
      if (!isObject(value)) return `${said(path)} is ${named(value)}: ${wanted}`;
      const present = tags.flatMap((key, at) => (key !== undefined && value[key] !== undefined ? [at] : []));
      if (present.length > 1) return `both ${present.map((at) => list[at]).join(' and ')}`;
      // A field may be present and undefined on purpose: `{ value: undefined }`.
      const at = present[0] ?? tags.findIndex((key) => key !== undefined && Object.hasOwn(value, key));
      return at < 0 ? wanted : (of[at] as Shape<unknown>).misfit(value, path);
    },
    schema: () => ({ anyOf: of.map((s) => s.schema()) }),
    text: () => of.map((s) => s.text()).join(' | '),
  };
};

const union = <const S extends readonly Shape<unknown>[]>(...of: S): Shape<Infer<S[number]>> => ({
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
  text: () => of.map((s) => s.text()).join(' | '),
});

const oneOf = <const V extends readonly (string | number | boolean | null)[]>(...values: V): Shape<V[number]> => ({
  misfit: (value, path) =>
    values.includes(value as V[number]) ? undefined : `${said(path)} is none of ${values.map(String).join(', ')}`,
  schema: () => ({ enum: values }),
  text: () => values.map((v) => (typeof v === 'string' ? `'${v}'` : String(v))).join(' | '),
});

const list = <T>(of: Shape<T>): Shape<readonly T[]> => ({
  misfit: (value, path) => {
    if (!Array.isArray(value)) return `${said(path)} is ${named(value)}, not a list`;
    for (let i = 0; i < value.length; i++) {
      const problem = of.misfit(value[i], `${path}[${i}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  schema: () => ({ type: 'array', items: of.schema() }),
  text: () => `readonly ${/[ |]/.test(of.text()) ? `(${of.text()})` : of.text()}[]`,
});

const record = <T>(of: Shape<T>): Shape<Readonly<Record<string, T>>> => ({
  misfit: (value, path) => {
    if (!isObject(value)) return `${said(path)} is ${named(value)}, not an object`;
    for (const key of Object.keys(value)) {
      const problem = of.misfit(value[key], path === '' ? key : `${path}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  schema: () => ({ type: 'object', additionalProperties: of.schema() }),
  text: () => `Readonly<Record<string, ${of.text()}>>`,
});

/** The builders of shapes. */
export const t = {
  string: simple<string>('string', (v) => typeof v === 'string'),
  number: simple<number>('number', (v) => typeof v === 'number'),
  boolean: simple<boolean>('boolean', (v) => typeof v === 'boolean'),
  /** Any plain data, and nothing. */
  json: { misfit: () => undefined, schema: () => ({}), text: () => 'unknown' } as Shape<unknown>,
  /** Some plain data, whatever it is, but not nothing. */
  some: {
    misfit: (value, path) => (value === undefined ? `${said(path)} is nothing` : undefined),
    schema: () => ({}),
    text: () => 'unknown',
  } as Shape<unknown>,
  /** Nothing: `undefined`. */
  nothing: {
    misfit: (value, path) => (value === undefined ? undefined : `${said(path)} is ${named(value)}, not nothing`),
    schema: () => ({ not: {} }),
    text: () => 'undefined',
  } as Shape<undefined>,
  /** An object whose fields are nobody's business here. */
  data: {
    misfit: (value, path) => (isObject(value) ? undefined : `${said(path)} is ${named(value)}, not an object`),
    schema: () => ({ type: 'object' }),
    text: () => 'Readonly<Record<string, unknown>>',
  } as Shape<Readonly<Record<string, unknown>>>,
  oneOf,
  list,
  record,
  object,
  either,
  union,
  nullable: <T>(shape: Shape<T>): Shape<T | null> => union(shape, oneOf(null)) as Shape<T | null>,
  optional: <S extends Shape<unknown>>(shape: S): S & { readonly optional: true } => ({ ...shape, optional: true }),
  /** Marks a field that a hook may change when it calls `next`. */
  write: <S extends Shape<unknown>>(shape: S): S & { readonly rewritable: true } => ({ ...shape, rewritable: true }),
};
