import type { EventRules, Owner } from '../kernel/index.ts';
import type { InferFields, Shape } from './shape.ts';

type Fields = Readonly<Record<string, Shape<unknown>>>;

export interface EventSpec<N extends string, F extends Fields, R> {
  readonly name: N;
  /** One line for the reference: when it fires. */
  readonly doc: string;
  readonly fields: F;
  /** Fields beside those named (a tool's own arguments) travel along and may be rewritten. */
  readonly open?: true;
  readonly result: Shape<R>;
  readonly refusal?: (reason: string) => NoInfer<R>;
  readonly stream?: true;
  readonly observe?: true;
  readonly budgetMs?: number;
  /** Which worlds raise it: mods know it, or it is ours. A mod's `*` or `!x` never selects ours. */
  readonly world?: 'mods' | 'ours';
  readonly reconcile?: (own: R, beneath: R | undefined, owner: Owner) => { value: R; code?: string };
}

export interface EventDef<N extends string = string, E = unknown, R = unknown> extends EventRules {
  readonly name: N;
  readonly doc: string;
  readonly fields: Fields;
  readonly result: Shape<R>;
  readonly world: 'mods' | 'ours';
  readonly _e?: E;
}

/** What a hook may be handed and must answer, as types. */
export type EventData<D> = D extends EventDef<string, infer E, unknown> ? E : never;
export type EventResult<D> = D extends EventDef<string, unknown, infer R> ? R : never;

/** Defines an event once; types, checks, pages and schemas derive from it. */
export function defineEvent<const N extends string, const F extends Fields, R, O extends true | undefined = undefined>(
  spec: EventSpec<N, F, R> & { readonly open?: O },
): EventDef<N, O extends true ? InferFields<F> & { readonly [argument: string]: unknown } : InferFields<F>, R> {
  const { fields } = spec;
  return {
    ...spec,
    stream: spec.stream === true,
    observe: spec.observe === true,
    world: spec.world ?? 'mods',
    budgetMs: spec.budgetMs ?? 10_000,
    pinned: (field) => (field in fields ? fields[field]?.rewritable !== true : spec.open !== true),
    eventMisfit: (e) => {
      for (const key of Object.keys(fields)) {
        const shape = fields[key] as Shape<unknown>;
        const value = (e as Record<string, unknown> | undefined)?.[key];
        if (value === undefined ? shape.optional !== true : shape.misfit(value, key) !== undefined) {
          return value === undefined ? `no { ${key} }` : shape.misfit(value, key);
        }
      }
      return undefined;
    },
    resultMisfit: (result) => spec.result.misfit(result, 'the result'),
  } as EventDef<N, never, R>;
}
