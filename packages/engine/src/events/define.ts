import { type EventRules, freezeCopy, type Owner } from '../kernel/index.ts';
import { markHeld } from './held.ts';
import { type Fields, type InferFields, type Schema, type Shape, t } from './shape.ts';

/** Who knows an event: all worlds by Claude's name, as an op of `$`, as a settings hook, or ours alone. */
export type World = 'mods' | 'op' | 'classic' | 'ours';

export interface EventSpec<N extends string, F extends Fields, R> {
  readonly name: N;
  /** One line for the reference: when it fires. */
  readonly doc: string;
  /** Its place in the loop, for the reference: what comes before and after. */
  readonly place?: string;
  readonly fields: F;
  /** Fields beside those named (a tool's own arguments) travel along and may be rewritten. */
  readonly open?: true;
  readonly result: Shape<R>;
  /** What a hook that must block and failed is taken to have answered. */
  readonly refusal?: (reason: string) => NoInfer<R>;
  /** Is this result a refusal? Default: it holds the field that `refusal` writes. */
  readonly refused?: (result: NoInfer<R>) => boolean;
  /** A stream, of chunks of this shape. */
  readonly stream?: Shape<unknown>;
  /** The chunks that tell a whole response, for links that answer with one. */
  readonly chunksOf?: (result: NoInfer<R>) => Iterable<unknown>;
  readonly budgetPerChunk?: true;
  readonly observe?: true;
  /** Own time of a hook in milliseconds, where it is not 10 s. 0: none. */
  readonly budgetMs?: number;
  /** The whole chain shares this wall time in milliseconds. */
  readonly sharedMs?: number;
  readonly world?: World;
  /** What its bottom is called in a refusal. */
  readonly subject?: string;
  /** The result where the host brings no behaviour of its own. Absent: such a raise is refused. */
  readonly neutral?: (e: InferFields<F>) => NoInfer<R>;
  readonly reconcile?: (
    own: NoInfer<R>,
    beneath: NoInfer<R> | undefined,
    owner: Owner,
  ) => { readonly value: NoInfer<R>; readonly code?: string; readonly misfit?: string };
}

export interface EventDef<N extends string = string, E = unknown, R = unknown> extends EventRules {
  readonly name: N;
  readonly doc: string;
  readonly place?: string;
  readonly fields: Fields;
  readonly open: boolean;
  readonly result: Shape<R>;
  readonly chunk?: Shape<unknown>;
  readonly world: World;
  readonly sharedMs?: number;
  readonly canRefuse: boolean;
  neutral?(e: unknown): unknown;
  /** JSON Schema of `e`. */
  eventSchema(): Schema;
  resultSchema(): Schema;
  /** Type only. */
  readonly _e?: E;
}

/** What a hook may be handed and must answer, as types. */
export type EventData<D> = D extends EventDef<string, infer E, unknown> ? E : never;
export type EventResult<D> = D extends EventDef<string, unknown, infer R> ? R : never;

const DEFAULT_BUDGET_MS = 10_000;

/** Defines an event once; types, checks, pages and schemas derive from it. */
export function defineEvent<const N extends string, const F extends Fields, R, O extends true | undefined = undefined>(
  spec: EventSpec<N, F, R> & { readonly open?: O },
): EventDef<N, O extends true ? InferFields<F> & { readonly [argument: string]: unknown } : InferFields<F>, R> {
  const { fields, refusal, stream, reconcile, neutral, ...rest } = spec;
  const writable = Object.keys(fields).filter((key) => fields[key]?.rewritable === true);
  const refusedKey = refusal === undefined ? undefined : (Object.keys(refusal('') as object)[0] as string);
  return {
    ...rest,
    fields,
    stream: stream !== undefined,
    observe: spec.observe === true,
    open: spec.open === true,
    world: spec.world ?? 'mods',
    budgetMs: spec.budgetMs ?? DEFAULT_BUDGET_MS,
    canRefuse: refusal !== undefined,
    pinned: (field: string) => (Object.hasOwn(fields, field) ? fields[field]?.rewritable !== true : spec.open !== true),
    // Pinned fields are put back or compared with what was received, so only the others can be wrong.
    eventMisfit: (e: unknown) => {
      if (e === null || typeof e !== 'object' || Array.isArray(e)) return 'no event';
      for (const key of writable) {
        const shape = fields[key] as Shape<unknown>;
        const value = (e as Record<string, unknown>)[key];
        if (value === undefined && shape.optional === true) continue;
        const problem = shape.misfit(value, key);
        if (problem !== undefined) return value === undefined ? `no { ${key} }` : problem;
      }
      return undefined;
    },
    resultMisfit: (result: unknown) => spec.result.misfit(result, ''),
    ...(stream === undefined ? {} : { chunk: stream, chunkMisfit: (chunk: unknown) => stream.misfit(chunk, 'chunk') }),
    ...(refusal === undefined
      ? {}
      : {
          refusal: (reason: string) => markHeld(freezeCopy(refusal(reason)) as object),
          refused:
            spec.refused ??
            ((result: unknown) =>
              result !== null && typeof result === 'object' && Object.hasOwn(result, refusedKey as string)),
        }),
    ...(neutral === undefined ? {} : { neutral }),
    ...(reconcile === undefined ? {} : { reconcile }),
    eventSchema: () => {
      const { properties, ...schema } = t.object(fields).schema();
      return { ...schema, properties, ...(spec.open === true ? {} : { additionalProperties: false }) };
    },
    resultSchema: () => spec.result.schema(),
  } as unknown as EventDef<N, never, R>;
}
