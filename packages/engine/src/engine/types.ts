import type { EventMap, EventName } from '../events/catalogue.ts';
import type {
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

/** A hook on a named event. `$` is the engine's interface: every method is a dispatch of its own. */
export type Hook<N extends EventName> = (
  $: Dollar,
  e: EventMap[N]['e'],
  next: Next<EventMap[N]['e'], Maybe<EventMap[N]['result']>>,
) => Maybe<EventMap[N]['result']> | AsyncGenerator<unknown, EventMap[N]['result'] | undefined, undefined>;

/** A hook on a pattern (`fs.*`, `*`, `!turn.step`). */
export type PatternHook = ($: Dollar, e: Readonly<Record<string, unknown>>, next: Next) => unknown;

/** `$`: ops by noun. Which exist is the host's matter; a missing one rejects by name. */
// biome-ignore lint/suspicious/noExplicitAny: nouns are added by hosts and mods; `Ops` gives the typed ones
export type Dollar = Readonly<Record<string, Readonly<Record<string, (...args: any[]) => any>>>>;

export interface HookOptions {
  readonly name?: string;
  readonly priority?: number;
  readonly onFailure?: FailurePolicy;
  /** Own time in milliseconds. */
  readonly budgetMs?: number;
  readonly half?: 'before' | 'after';
}

/** Where hooks are registered. The engine itself is one, for the program. */
export interface Registrar {
  on<N extends EventName>(event: N, hook: Hook<N>, options?: HookOptions): Registration;
  on<N extends EventName>(event: N, matcher: Matcher, hook: Hook<N>, options?: HookOptions): Registration;
  on(pattern: string, hook: PatternHook, options?: HookOptions): Registration;
  on(pattern: string, matcher: Matcher, hook: PatternHook, options?: HookOptions): Registration;
}

export interface OwnerSpec {
  readonly name: string;
  readonly tier?: Tier;
  readonly source?: Source;
  readonly lane?: Lane;
  readonly realm?: Realm;
  readonly dependsOn?: readonly string[];
  readonly place?: string;
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
  readonly dryRun?: boolean;
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

/** The host's own behaviour beneath an op: what `$.noun.method(...)` does. */
export type OpBottom = (
  e: Readonly<Record<string, unknown>>,
  context: { readonly signal: AbortSignal; readonly origin: Origin },
) => unknown;

export interface EngineOptions {
  readonly gate?: Gate;
  readonly recorder?: Recorder;
  /** Bottoms by op name (`fs.read`). */
  readonly ops?: Readonly<Record<string, OpBottom>>;
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
  readonly signal?: AbortSignal;
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
}

export interface Explanation {
  readonly event: string;
  /** Every link of the event, those that match first to last; `matches` false says why not in `why`. */
  readonly links: readonly (LinkInfo & { readonly matches: boolean; readonly why?: string })[];
  readonly rules?: { readonly managed?: Verdict; readonly rules?: Verdict; readonly fallback?: Verdict };
  /** Present after a dry run. */
  readonly run?: { readonly result: unknown; readonly trace: readonly TraceEntry[] };
}

export interface Capabilities {
  /** Events this host raises. */
  readonly raised: readonly string[];
  /** Events that hooks stand on and this host cannot raise. */
  readonly silent: readonly string[];
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
  /** States a fact. */
  notice(name: string, data: Readonly<Record<string, unknown>>): void;
  /** Raises an event. `tool.call` and `llm.request` go through `tool` and `model` only. */
  raise<N extends EventName>(
    event: N,
    e: EventMap[N]['e'],
    options?: RaiseOptions<EventMap[N]['e'], EventMap[N]['result']>,
  ): Promise<EventMap[N]['result']>;
  /** The only way a host runs a tool. Rejects only with `AbortTurn` or `HardAbort`. */
  tool(call: ToolCall, run: (run: ToolRun) => Maybe<ToolAnswer>): Promise<ToolOutcome>;
  /** The only way a host asks a model: `turn.step`, then `llm.request`, then `send`. */
  model(
    request: ModelRequest,
    send: (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<unknown, unknown, undefined>,
  ): Stream<unknown, unknown>;
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
