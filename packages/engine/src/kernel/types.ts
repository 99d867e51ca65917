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
/** How a hook failed. `late` is an answer that came, but after its budget; `start` a realm that never came up. */
export type FailureClass = 'throw' | 'shape' | 'rewrite' | 'budget' | 'crash' | 'start' | 'garbage' | 'late';

/** Whoever a hook belongs to. */
export interface Owner {
  readonly name: string;
  readonly tier: Tier;
  readonly source: Source;
  readonly lane: Lane;
  readonly realm: Realm;
  /** Owners of its lane that this one stands outside of (a mod and the mods it depends on). A cycle is refused. */
  readonly dependsOn?: readonly string[];
  /** Its place among the owners of its lane where dependencies leave it open. Default 0; ties by name. */
  readonly order?: number;
  /** Where it was configured, for people: `trotline.json:12`. */
  readonly place?: string;
  /** Asked by whoever shows its health: is what should answer for it gone, or did it never come up? */
  readonly isDown?: () => boolean;
}

/** Whoever raised a dispatch. */
export interface Origin {
  readonly plugin: string;
  readonly tier: Tier;
}

export type Maybe<T> = T | Promise<T>;

/** A stream: chunks as they come, and the result, by `return` and as `.result`. */
export type Stream<C, R> = AsyncGenerator<C, R, undefined> & { readonly result: Promise<R> };

/** `refused` is ours: it failed closed, and its refusal stands. The rest are those of mods. */
export type Outcome = 'returned' | 'passed' | 'skipped' | 'kept' | 'expired' | 'caught' | 'rejected' | 'refused';

/** Something that was done to a link's work and that must not be silent: a restored field, a dropped key. */
export interface TraceNote {
  /** A code of the table. */
  readonly code: string;
  readonly reason?: string;
}

/** What one link did in one dispatch. The bottom's own entry is `engine`, tier `core`, and always the innermost. */
export interface TraceEntry {
  /** 0 is the outermost link of the chain. */
  readonly index: number;
  readonly plugin: string;
  readonly tier: Tier;
  readonly event: string;
  /** The hook's name, where it has one. */
  readonly hook?: string;
  readonly outcome: Outcome;
  /** A code of the table, for everything that is not plain: the failure's, or that of the first note. */
  readonly code?: string;
  readonly reason?: string;
  readonly failure?: FailureClass;
  readonly notes?: readonly TraceNote[];
  /** Own wall time in milliseconds, without its `next` calls and ops. */
  readonly ms: number;
  readonly chunks?: number;
  readonly received?: unknown;
  readonly returned?: unknown;
}

/** A hook's failure, as its `.catch` handler reads it. */
export interface HookError {
  readonly kind: 'throw' | 'timeout';
  readonly class: FailureClass;
  /** Absent for a timeout, unless the last `next` had rejected. */
  readonly message?: string;
  /** The hook's budget in milliseconds. */
  readonly budget: number;
}

/** A hook's failure, as the kernel tells it to whoever words the refusal, asks, or keeps the books. */
export interface Failure {
  readonly class: FailureClass;
  /** One sentence without a full stop: `threw Error: boom`, `ran past its 10s budget`. */
  readonly message: string;
  /** A code of the table. */
  readonly code: string;
  readonly error?: unknown;
  /** How far it had come with `next`: not called, still running beneath, or settled. */
  readonly beneath: 'none' | 'pending' | 'settled';
  /** Did the bottom start? */
  readonly ran: boolean;
}

/** The way down. `next(e)` runs all that lies beneath and answers its result; it never throws, it rejects. */
export interface Next<E = unknown, R = unknown> {
  /** A value where nothing beneath returned a promise, else a promise; on a stream event a `Stream`. */
  (e: E): R;
  /** Goes on at a tier further in. For owners of `prepend` (to append, builtin, core) and `append` (to core) only. */
  to(e: E, tier: Tier): R;
  /** Does this dispatch's event fall under the pattern? */
  is(pattern: string, e?: unknown): boolean;
  readonly event: string;
  readonly origin: Origin;
  /** Made when it is read. Fires when the host interrupts, a hook above settled first, or the budget ran out. */
  readonly signal: AbortSignal;
  /** Live. `ms` 0 and `remainingMs` Infinity where nothing meters. */
  readonly budget: { readonly ms: number; readonly remainingMs: number };
  /** What settled beneath on the latest `next` call, nearest link first, the bottom last. */
  readonly trace: readonly TraceEntry[];
  /** True when this dispatch only tries hooks out (`explain --run`). */
  readonly dryRun: boolean;
  /** Adds a note to this link's trace entry: a downgrade, an effect its world cannot express. */
  note(code: string, reason?: string): void;
  /** Inside a `.catch` handler only: what failed, and whether the hook had run what lies beneath. */
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
  /** A name, `ns.*`, `*`, `!name` or `!ns.*`. */
  readonly pattern: string;
  /** Events that the pattern covers and this hook does not stand on all the same. */
  readonly except?: (event: string) => boolean;
  readonly matcher?: Matcher;
  /** Beside or instead of a matcher, for dialects: is this event for this hook? A throw is the hook's failure. */
  readonly when?: (e: Readonly<Record<string, unknown>>) => boolean;
  readonly hook: AnyHook;
  readonly name?: string;
  /** Within its lane, smaller is further out. Default 0. */
  readonly priority?: number;
  readonly onFailure?: FailurePolicy;
  /** Own time per dispatch in milliseconds; 0 for none. Default: the event's. */
  readonly budgetMs?: number;
  /** The after half of a hook that runs in the same order both ways: see `order.ts`. */
  readonly half?: 'before' | 'after';
  /** A dialect's own words for the refusal when this hook fails closed. */
  readonly refusalText?: (failure: Failure) => string;
}

/** A link on the line. */
export interface Seated extends LinkSpec {
  readonly sequence: number;
  readonly handler?: AnyHook | undefined;
  /** How often it was entered, and how often it failed. */
  readonly calls: number;
  readonly failures: number;
}

/** Unregisters by being called; `.catch` sets the handler that answers when the hook fails. */
export interface Registration {
  (): void;
  catch(handler: AnyHook): Registration;
}

/** What the chain must know of an event. The catalogue makes one of these for each. */
export interface EventRules {
  readonly name: string;
  /** Its bottom and hooks are async generators; `dispatch` answers a `Stream`. */
  readonly stream: boolean;
  /** Only observed: a different return changes nothing. */
  readonly observe: boolean;
  /** Own time of a hook per dispatch in milliseconds; 0 for none. */
  readonly budgetMs: number;
  /** Streams: the budget is for each chunk, not for the whole response. */
  readonly budgetPerChunk?: boolean;
  /** May a hook not change this field of `e`? */
  pinned(field: string): boolean;
  /** Why `e` does not fit (`no { cwd }`), or undefined. */
  eventMisfit(e: unknown): string | undefined;
  /** Why a result does not fit, or undefined. */
  resultMisfit(result: unknown): string | undefined;
  /** Why a chunk does not fit, or undefined. */
  chunkMisfit?(chunk: unknown): string | undefined;
  /** Streams: the chunks that tell a whole response, for links that answer with one. */
  chunksOf?(result: unknown): Iterable<unknown>;
  /** The event's refusal, where it has one. */
  refusal?(reason: string): unknown;
  /** Is this result a refusal? After halves never see one. */
  refused?(result: unknown): boolean;
  /** What its bottom is called in a refusal: `the tool`. Default: `what lies beneath`. */
  readonly subject?: string;
  /**
   * Asked after each link answered: puts back what it may not have changed, with a code of the table, or says as `misfit`
   * why the answer does not fit what lies beneath, which is the hook's failure. `beneath` is undefined while no `next` of
   * its has resolved.
   */
  reconcile?(
    own: unknown,
    beneath: unknown,
    owner: Owner,
  ): { readonly value: unknown; readonly code?: string; readonly misfit?: string };
}

/** One entry of one link in one dispatch; the cause of what its `$` raises. */
export interface Invocation {
  readonly link: Seated;
  readonly cause: Invocation | undefined;
  readonly event: string;
  readonly origin: Origin;
  readonly dryRun: boolean;
  /** The link's `next.signal`, made when it is read. */
  readonly signal: AbortSignal;
  /** Stops the hook's clock while an op runs. Every `pause` needs its `resume`; overlapping ones count once. */
  pause(): void;
  resume(): void;
  /** Adds a note to the link's trace entry. */
  note(code: string, reason?: string): void;
}

/** What the bottom of a dispatch is handed beside `e`. */
export interface BottomCall {
  /** Made when it is read. Fires when the host interrupts or a hook above settled first. */
  readonly signal: AbortSignal;
  readonly dryRun: boolean;
}

export interface DispatchInput {
  readonly e: unknown;
  readonly origin: Origin;
  /** The host's own behaviour. On stream events: an async generator, or a whole response. */
  readonly bottom: (e: never, call: BottomCall) => unknown;
  readonly signal?: AbortSignal | undefined;
  /** The invocation that raised it: its hook, and every hook it came from, is not entered again. */
  readonly cause?: Invocation | undefined;
  /** The caller gives `e` away: it may be frozen in place. */
  readonly owned?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** Owners whose links this dispatch passes by. */
  readonly passes?: ((owner: Owner) => boolean) | undefined;
  /**
   * A hook with `onFailure: 'ask'` failed before `next`. True: the caller sees to it that a person is asked, and the
   * chain goes on without the hook. False or absent: it counts as `closed`.
   */
  readonly onAsk?: ((link: Seated, failure: Failure) => boolean) | undefined;
}

/** Something that happened to a hook: each failure, an answer too late, a hook that lingers after it was settled over. */
export interface Report {
  /** `kernel.late` and `kernel.linger` come after the link's trace entry is closed. */
  readonly code: string;
  readonly event: string;
  readonly link: Seated;
  readonly message: string;
  readonly failure?: Failure;
}

export interface KernelOptions {
  /** Makes the `$` of one invocation. */
  readonly dollar: (invocation: Invocation) => unknown;
  /** The rules of an event by name: lets a wrong registration be refused at once. */
  readonly rules?: (event: string) => EventRules | undefined;
  /** Told of every dispatch that entered a link, after it settled. `trace` is made when it is called. */
  readonly onSettled?: (event: string, trace: () => readonly TraceEntry[], origin: Origin) => void;
  readonly onReport?: (report: Report) => void;
}

export interface Kernel {
  /** Seats a hook. Throws a `KernelError` for a wrong pattern, matcher or policy, and for a dependency cycle. */
  register(spec: LinkSpec): Registration;
  /** The links standing on an event, outermost first; without a name, all of them. */
  links(event?: string): readonly Seated[];
  /**
   * Raises an event. Answers a value where no hook and no bottom returned a promise, else a promise; on a stream event
   * a `Stream`. Never throws; rejects with what the bottom rejected with, or with `AbortTurn` or `HardAbort`.
   */
  dispatch(rules: EventRules, input: DispatchInput): Maybe<unknown>;
}
