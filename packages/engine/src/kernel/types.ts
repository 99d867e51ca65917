/** Trust of an owner, outermost first. */
export type Tier = 'prepend' | 'user' | 'append' | 'builtin' | 'core';
/** Where an owner of tier `user` comes from, outermost first. */
export type Source = 'program' | 'person' | 'project';
/** A dialect's place within a tier; it says nothing about where code runs. */
export type Lane = 'in-process' | 'mods' | 'openclacky' | 'process' | 'settings';
/** The environment in which an owner's code runs. */
export type Realm = 'inline' | 'worker' | 'process';
/** What a failing hook means: skip it, refuse, or ask a person. */
export type FailurePolicy = 'open' | 'closed' | 'ask';
/** How a hook failed. `late` is an answer after its budget; `start` a realm that never came up. */
export type FailureClass = 'throw' | 'shape' | 'rewrite' | 'budget' | 'crash' | 'start' | 'garbage' | 'late';

/** Whoever a hook belongs to. */
export interface Owner {
  readonly name: string;
  readonly tier: Tier;
  readonly source: Source;
  readonly lane: Lane;
  readonly realm: Realm;
  /** Owners this one stands outside of (a mod and the mods it depends on). */
  readonly dependsOn?: readonly string[];
  /** Where it was configured, for people: `trotline.json:12`. */
  readonly place?: string;
}

/** Whoever raised a dispatch. */
export interface Origin {
  readonly plugin: string;
  readonly tier: Tier;
}

export type Maybe<T> = T | Promise<T>;

/** A stream: chunks as they come, and the result, by `return` and as `.result`. */
export type Stream<C, R> = AsyncGenerator<C, R, undefined> & { readonly result: Promise<R> };

export type Outcome = 'returned' | 'passed' | 'skipped' | 'kept' | 'expired' | 'caught' | 'rejected';

/** What one link did in one dispatch. */
export interface TraceEntry {
  /** 0 is the outermost link. */
  readonly index: number;
  readonly plugin: string;
  readonly tier: Tier;
  readonly event: string;
  readonly outcome: Outcome;
  /** A code of the table, for everything that is not plain. */
  readonly code?: string;
  readonly reason?: string;
  /** Own wall time in milliseconds, without its `next` calls. */
  readonly ms: number;
  readonly chunks?: number;
  readonly received?: unknown;
  readonly returned?: unknown;
}

/** A hook's failure, as its `.catch` handler reads it. */
export interface HookError {
  readonly kind: 'throw' | 'timeout' | 're-entry';
  readonly class: FailureClass | 're-entry';
  readonly message?: string;
  readonly cause?: 'lent';
  readonly budget: number;
}

/** The way down. `next(e)` runs all that lies beneath and answers its result. */
export interface Next<E = unknown, R = unknown> {
  (e: E): R;
  /** Goes on at a tier further in. For owners of `prepend` and `append` only. */
  to(e: E, tier: Tier): R;
  is(pattern: string, e?: unknown): boolean;
  readonly event: string;
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly budget: { readonly ms: number; readonly remainingMs: number };
  /** What settled beneath on the latest `next` call, nearest link first. */
  readonly trace: readonly TraceEntry[];
  /** True when this dispatch only tries hooks out (`explain --run`). */
  readonly dryRun: boolean;
  /** Inside a `.catch` handler only. */
  readonly error?: HookError;
  readonly called?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: hooks are contravariant in all three; the typed surface is `Engine.on`
export type AnyHook = ($: any, e: any, next: any) => unknown;

export type MatcherNode = string | number | boolean | null | RegExp | readonly MatcherNode[] | Matcher;
export interface Matcher {
  readonly [key: string]: MatcherNode;
}

/** One hook as it is registered. */
export interface LinkSpec {
  readonly owner: Owner;
  readonly pattern: string;
  readonly matcher?: Matcher;
  readonly hook: AnyHook;
  readonly name?: string;
  readonly priority?: number;
  readonly onFailure?: FailurePolicy;
  readonly budgetMs?: number;
  /** The after half of a hook that runs in the same order both ways stands at the inner end of its tier, reversed. */
  readonly half?: 'before' | 'after';
}

/** Unregisters by being called; `.catch` sets the handler that answers when the hook fails. */
export interface Registration {
  (): void;
  catch(handler: AnyHook): Registration;
}

/** What the chain must know of an event. The catalogue makes one of these for each. */
export interface EventRules {
  readonly name: string;
  readonly stream: boolean;
  /** Only observed: a different return changes nothing. */
  readonly observe: boolean;
  readonly budgetMs: number;
  /** May a hook not change this field of `e`? */
  pinned(field: string): boolean;
  /** Why `e` does not fit, or undefined. */
  eventMisfit(e: unknown): string | undefined;
  /** Why a result does not fit, or undefined. */
  resultMisfit(result: unknown): string | undefined;
  /** The event's refusal, where it has one. */
  refusal?(reason: string): unknown;
  /** Asked after each link answered: puts back what it may not have changed. `beneath` is undefined if it never called `next`. */
  reconcile?(own: unknown, beneath: unknown, owner: Owner): { readonly value: unknown; readonly code?: string };
}
