import type { EventMap, EventName } from '../events/catalogue.ts';
import type { ModelChunk, ModelResponse } from '../events/families/chunks.ts';
import type { NoticeMap, NoticeName } from '../events/notices/catalogue.ts';
import type { Exclusive } from '../events/shape.ts';
import type { ToolInputs, ToolName } from '../events/tools.ts';
import type {
  Failure,
  FailurePolicy,
  Lane,
  Matcher,
  Maybe,
  Next,
  Origin,
  Owner,
  Realm,
  Registration,
  Source,
  Stream,
  Tier,
  TraceEntry,
} from '../kernel/index.ts';
import type { Ops } from './dollar/types.ts';

/** What the streaming events stream. */
interface Chunks {
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

/** Where hooks are registered. The engine itself is one, for the program. */
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

/** A fact that nobody can answer. */
export interface Notice {
  readonly name: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Observed =
  | { readonly kind: 'notice'; readonly notice: Notice }
  | {
      readonly kind: 'dispatch';
      readonly event: string;
      readonly trace: readonly TraceEntry[];
      readonly origin: Origin;
    };

/** Unregisters by being called. `dropped` counts what a slow observer lost of its own. */
export interface Observer {
  (): void;
  readonly dropped: number;
}

/** One tool call, as a host hands it over. Names and arguments are canonical (Claude's). */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly isReadOnly?: boolean;
  /** JSON Schema of the input; the final value is checked against it. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Try the hooks and rules out: nothing runs, nobody is asked, nothing is recorded. */
  readonly dryRun?: boolean;
  /** Does the host have this tool? Default true; decides what `answered: 'check'` is about. */
  readonly isRegistered?: boolean;
  readonly cause?: Cause | undefined;
}

/** What a tool is run with: the final call, after every rewrite and check. */
export interface ToolRun {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly agentId?: string;
  readonly signal: AbortSignal;
}

/** What a tool answers: its text, or a record with the text the model reads. */
export type ToolAnswer = string | { readonly result: unknown; readonly text?: string; readonly isError?: boolean };

/** How a call ended. `deny` excludes the rest. */
export interface ToolOutcome {
  readonly deny?: string;
  readonly result?: unknown;
  readonly text?: string;
  readonly isError?: boolean;
  /** What the model reads after the result and the person never sees. */
  readonly context?: readonly string[];
  /** Who answered in the tool's place, where a hook did. */
  readonly answeredBy?: string;
  /** The person interrupted before it had ended. */
  readonly aborted?: true;
  /** A hook wants the turn to end after this call, and why. */
  readonly stop?: string;
}

export type Decision = 'allow' | 'ask' | 'deny';

/** Who decided. `managed`, `rule` and `failure` cannot be loosened by a hook of tier `user` or inside it. */
export interface VerdictSource {
  readonly kind: 'managed' | 'rule' | 'hook' | 'default' | 'person' | 'failure';
  readonly name: string;
  readonly rule?: string;
  readonly place?: string;
}

export interface Verdict {
  readonly decision: Decision;
  readonly reason?: string;
  readonly source: VerdictSource;
}

export interface CheckedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly isReadOnly: boolean;
}

/** What the host decides about a call. Without it every call is allowed that no hook denies. */
export interface Gate {
  /** The managed layer's verdict; it comes before every hook and again on the final value. */
  managed?(call: CheckedCall): Verdict | undefined;
  /** The rules' verdict on the final value. */
  rules?(call: CheckedCall): Verdict | undefined;
  /** Where no rule spoke. */
  fallback?(call: CheckedCall): Verdict;
  /** Asks a person. Absent: nobody can be asked, and an ask becomes a deny with `unasked`'s words. */
  ask?(call: CheckedCall, verdict: Verdict, signal: AbortSignal): Promise<Verdict>;
  /** The text of a deny where nobody can be asked. */
  unasked?(call: CheckedCall, verdict: Verdict): string;
}

export interface DecisionRow {
  readonly id: string;
  readonly at: number;
  readonly session?: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly agentId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly decision: 'allow' | 'deny' | 'answered';
  readonly source: VerdictSource;
  readonly reason?: string;
}

export interface OutcomeRow {
  readonly status: 'done' | 'failed' | 'aborted';
  readonly at: number;
  readonly ms: number;
  readonly isError: boolean;
}

/** Where decisions go. `decided` of an allow is durable when it resolves, before the tool runs. */
export interface Recorder {
  decided(row: DecisionRow): Maybe<void>;
  settled(id: string, outcome: OutcomeRow): Maybe<void>;
}

/** The host's own behaviour beneath an op: what `$.noun.method(...)` does. Answers the bare value, or throws. */
export interface OpBottom {
  (
    e: Readonly<Record<string, unknown>>,
    context: { readonly signal: AbortSignal; readonly origin: Origin; readonly cause?: Cause | undefined },
  ): unknown;
  /** Completes the event before any hook sees it: a relative path made absolute. */
  readonly prepare?: (e: Readonly<Record<string, unknown>>, origin: Origin) => Readonly<Record<string, unknown>>;
}

/** A tool that hooks may call by name. */
export interface ServedTool {
  readonly run: (run: ToolRun) => Maybe<ToolAnswer>;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly isReadOnly?: boolean;
}

export interface EngineOptions {
  readonly gate?: Gate;
  readonly recorder?: Recorder;
  /** Bottoms by op name (`fs.read`). */
  readonly ops?: Readonly<Record<string, OpBottom>>;
  /** Fields of settings events that the host knows: `session_id`, `transcript_path`, `cwd`, `permission_mode`. */
  readonly envelope?: () => Readonly<Record<string, unknown>>;
  /** How long `close` waits for what still runs, in milliseconds. Default 5,000. */
  readonly graceMs?: number;
  /** An answer for a registered tool passes `tool.check` first when `check`. Default `pass`. */
  readonly answered?: 'pass' | 'check';
  /** A managed option: hooks of tier `user` may loosen rules. Default false. */
  readonly loosening?: boolean;
}

export interface RaiseOptions<E, R> {
  /** The host's own behaviour. Without it the event's neutral result, or a rejection where it has none. */
  readonly bottom?: (e: E, signal: AbortSignal) => Maybe<R>;
  readonly origin?: Origin;
  readonly signal?: AbortSignal;
  readonly owned?: boolean;
  readonly dryRun?: boolean;
  readonly cause?: Cause | undefined;
}

/** A model request as `llm.request` carries it. */
export interface ModelRequest {
  readonly turnId: string;
  readonly index: number;
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly effort?: string | number;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly cause?: Cause | undefined;
}

/** A link as `explain` and `trotline hooks` show it. */
export interface LinkInfo {
  readonly event: string;
  readonly order: number;
  readonly owner: Owner;
  readonly name: string;
  readonly pattern: string;
  readonly matcher?: Matcher;
  readonly priority: number;
  readonly onFailure: FailurePolicy;
  readonly budgetMs: number;
  readonly half?: 'before' | 'after';
  readonly hasCatch: boolean;
  readonly health: 'ok' | 'failing' | 'down';
  readonly calls: number;
  readonly failures: number;
  readonly lastFailure?: { readonly at: number; readonly code: string; readonly message: string };
}

export interface Explanation {
  readonly event: string;
  /** Every link of the event, those that match first to last; `matches` false says why not in `why`. */
  readonly links: readonly (LinkInfo & { readonly matches: boolean; readonly why?: string })[];
  readonly rules?: { readonly managed?: Verdict; readonly rules?: Verdict; readonly fallback?: Verdict };
  /** Present after a dry run. */
  readonly run?: { readonly result?: unknown; readonly error?: string; readonly trace: readonly TraceEntry[] };
}

export interface Capabilities {
  /** Events this host raises: those it declared, and those it has raised. */
  readonly raised: readonly string[];
  /** Events that hooks stand on by name and this host has not raised or declared. */
  readonly silent: readonly string[];
  /** Ops that have a bottom. */
  readonly ops: readonly string[];
}

export interface Engine extends Registrar {
  /** Makes a registrar for somebody other than the program. */
  owner(spec: OwnerSpec): OwnerRegistrar;
  /** Gets notices (by pattern) and settled dispatches, through a bounded queue of its own. */
  observe(
    observer: (seen: Observed) => Maybe<void>,
    options?: { readonly pattern?: string; readonly queue?: number },
  ): Observer;
  /**
   * Adds bottoms of `$`, for hosts that come after the engine, and tools that hooks may call. A name that is no op adds a noun.
   * Takes them back by being called.
   */
  serve(ops: Readonly<Record<string, OpBottom>>, tools?: (name: string) => ServedTool | undefined): () => void;
  /** Declares events that this host raises, for the capability report. */
  raises(...events: readonly EventName[]): void;
  /** States a fact. Throws `engine.no-notice` for a name that is not in the catalogue. */
  notice<N extends NoticeName>(name: N, data: NoticeMap[N]): void;
  notice(name: string, data: Readonly<Record<string, unknown>>): void;
  /** Raises an event. `tool.call` and `llm.request` go through `tool` and `model` only. */
  raise<N extends EventName>(
    event: N,
    e: EventMap[N]['e'],
    options?: RaiseOptions<EventMap[N]['e'], EventMap[N]['result']>,
  ): Promise<EventMap[N]['result']>;
  /**
   * The only way a host runs a tool: hooks, rules, `tool.check`, a person, the record, the tool, and back up.
   * A tool that throws is an outcome with `isError`. Rejects only with `AbortTurn` or `HardAbort`, and with `engine.closed`.
   * Where a tool of the table is called with arguments that fit it, what hooks make of them must fit it too.
   */
  tool<const T extends ToolName>(
    call: ToolCall & { readonly tool: T; readonly input: ToolInputs[T] },
    run: (run: ToolRun & { readonly input: ToolInputs[T] }) => Maybe<ToolAnswer>,
  ): Promise<ToolOutcome>;
  tool(call: ToolCall, run: (run: ToolRun) => Maybe<ToolAnswer>): Promise<ToolOutcome>;
  /** The only way a host asks a model: `turn.step`, then `llm.request`, then `send`. */
  model(
    request: ModelRequest,
    send: (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<ModelChunk, ModelResponse, undefined>,
  ): Stream<ModelChunk, ModelResponse>;
  /** Which links match, in what order, under which policy. Runs nothing unless `run`. */
  explain(
    event: string,
    e: Readonly<Record<string, unknown>>,
    options?: { readonly run?: boolean },
  ): Promise<Explanation>;
  /** The links on every event, or on one. */
  links(event?: string): readonly LinkInfo[];
  capabilities(): Capabilities;
  close(): Promise<void>;
}
