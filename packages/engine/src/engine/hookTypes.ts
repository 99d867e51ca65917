import type { EventMap, EventName } from '../events/catalogue.ts';
import type { ModelChunk } from '../events/families/chunks.ts';
import type { Exclusive } from '../events/shape.ts';
import type { ToolInputs, ToolName } from '../events/tools.ts';
import type {
  Failure,
  FailurePolicy,
  Lane,
  Matcher,
  Maybe,
  Next,
  Owner,
  Realm,
  Registration,
  Source,
  Stream,
  Tier,
} from '../kernel/index.ts';
import type { Ops } from './dollar/types.ts';

/** What the streaming events stream. */
export interface Chunks {
  readonly 'turn.step': ModelChunk;
  readonly 'llm.request': ModelChunk;
  readonly 'process.spawn': { readonly stream: 'stdout' | 'stderr'; readonly text: string };
}
type StreamName = keyof Chunks;

/** A hook on a named event. `$` is the engine's interface: every method is a dispatch of its own. */
export type Hook<N extends EventName> = N extends StreamName ? StreamHook<N> : PlainHook<N>;

export type PlainHook<N extends EventName> = (
  $: Dollar,
  e: EventMap[N]['e'],
  next: Next<EventMap[N]['e'], Maybe<Exclusive<EventMap[N]['result']>>>,
) => Maybe<EventMap[N]['result']>;

/**
 * A hook on a streaming event. A generator passes chunks live (`const r = yield* next(e); return r`). A plain function
 * buffers: `await next(e)` is the whole result, of which nothing was shown, and what it returns is what streams on.
 */
export type StreamHook<N extends StreamName> = (
  $: Dollar,
  e: EventMap[N]['e'],
  next: Next<EventMap[N]['e'], Stream<Chunks[N], EventMap[N]['result']> & PromiseLike<EventMap[N]['result']>>,
) =>
  | AsyncGenerator<Chunks[N], EventMap[N]['result'] | undefined, undefined>
  | Maybe<EventMap[N]['result']>
  | PromiseLike<EventMap[N]['result']>;

/** A hook on the calls of one tool, whose arguments it sees typed. */
export type ToolHook<T extends ToolName> = (
  $: Dollar,
  e: EventMap['tool.call']['e'] & ToolInputs[T],
  next: Next<EventMap['tool.call']['e'], Maybe<Exclusive<EventMap['tool.call']['result']>>>,
) => Maybe<EventMap['tool.call']['result']>;

/** A hook on a pattern (`fs.*`, `*`, `!turn.step`). */
export type PatternHook = ($: Dollar, e: Readonly<Record<string, unknown>>, next: Next) => unknown;

/** `$`: ops by noun, and nouns that hosts and mods added. One that this host cannot serve rejects by name. */
export type Dollar = Ops & Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What follows from a hook's call carries it, so that the hook is not entered again. Made by the engine only. */
export interface Cause {
  readonly event: string;
}

export interface HookOptions {
  readonly name?: string;
  readonly priority?: number;
  readonly onFailure?: FailurePolicy;
  /** Own time in milliseconds. */
  readonly budgetMs?: number;
  readonly half?: 'before' | 'after';
  /** Beside or instead of a matcher: is this event for this hook? A throw is the hook's failure. */
  readonly when?: (e: Readonly<Record<string, unknown>>) => boolean;
  /** Events that the pattern covers and this hook does not stand on all the same. */
  readonly except?: (event: string) => boolean;
  /** The words of the refusal when this hook fails closed. */
  readonly refusalText?: (failure: Failure) => string;
}

/**
 * Where hooks are registered. The engine itself is one, for the program.
 *
 * `on(event, hook)`, `on(event, matcher, hook)`, and both with options; `event` is a name, `ns.*`, `*`, `!name` or `!ns.*`.
 * Returns the way to take the hook off again, with `.catch(handler)` for when it fails. Throws `engine.no-event` for a name
 * that is not there, and an error of the kernel for a wrong matcher or a policy that the event has no refusal for.
 * Examples: `test/examples/engine.test.ts`.
 */
export interface Registrar {
  on<const T extends ToolName>(
    event: 'tool.call',
    matcher: Matcher & { readonly tool: T },
    hook: ToolHook<T>,
    options?: HookOptions,
  ): Registration;
  on<N extends EventName>(event: N, hook: Hook<N>, options?: HookOptions): Registration;
  on<N extends EventName>(event: N, matcher: Matcher, hook: Hook<N>, options?: HookOptions): Registration;
  on(pattern: string, matcher: Matcher, hook: PatternHook, options?: HookOptions): Registration;
  on(pattern: string, hook: PatternHook, options?: HookOptions): Registration;
}

export interface OwnerSpec {
  readonly name: string;
  readonly tier?: Tier;
  readonly source?: Source;
  readonly lane?: Lane;
  readonly realm?: Realm;
  readonly dependsOn?: readonly string[];
  /** Its place among the owners of its lane where dependencies leave it open. Default 0; ties by name. */
  readonly order?: number;
  readonly place?: string;
  /** Asked by whoever shows its health: is what should answer for it gone, or did it never come up? */
  readonly isDown?: () => boolean;
  /** Its folder: what `$.plugin.root` says. */
  readonly root?: string;
  /** The policy of its hooks where they name none. */
  readonly onFailure?: FailurePolicy;
}

/** An owner's registrar. `remove` takes all its hooks off the line. */
export interface OwnerRegistrar extends Registrar {
  readonly owner: Owner;
  remove(): void;
}
