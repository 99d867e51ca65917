import type { EventMap, EventName } from '../events/catalogue.ts';
import type { ModelChunk, ModelResponse } from '../events/families/chunks.ts';
import type { NoticeMap, NoticeName } from '../events/notices/catalogue.ts';
import type { ToolInputs, ToolName } from '../events/tools.ts';
import type { FailurePolicy, Matcher, Maybe, Origin, Owner, Stream, TraceEntry } from '../kernel/index.ts';
import type {
  Gate,
  OpBottom,
  Recorder,
  ServedTool,
  ToolAnswer,
  ToolCall,
  ToolOutcome,
  ToolRun,
  Verdict,
} from './callTypes.ts';
import type { Cause, Chunks, OwnerRegistrar, OwnerSpec, Registrar } from './hookTypes.ts';

export type * from './callTypes.ts';
export type * from './hookTypes.ts';

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
  /** Makes a registrar for somebody other than the program. Owners of one name are one owner to `$.store` and `$.state`. */
  owner(spec: OwnerSpec): OwnerRegistrar;
  /**
   * Gets notices and settled dispatches whose name falls under `pattern` (default `*`), through a queue of its own of `queue`
   * items (default 1,000). A slow observer loses its own oldest items, counted in `dropped`; one that throws breaks nothing.
   */
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
  /**
   * Raises an event and answers its result: what the hooks made of it, over `bottom` or the event's neutral result.
   * Rejects with `engine.no-raise` for `tool.call`, `turn.step` and `llm.request`, which go through `tool` and `model` only;
   * with `engine.no-event`, `engine.no-bottom`, `engine.closed`; with what `bottom` rejects with; with `AbortTurn` or `HardAbort`.
   */
  raise<N extends EventName>(
    event: N,
    e: EventMap[N]['e'],
    options?: RaiseOptions<EventMap[N]['e'], EventMap[N]['result']>,
  ): Promise<EventMap[N]['result']>;
  /**
   * Raises a streaming event over a host's own stream: `turn.step` for a host that has no whole request to show (a test kit, a
   * bridge), `process.spawn`. Fails as `raise` does. A host that has the request uses `model`.
   */
  stream<N extends 'turn.step' | 'process.spawn'>(
    event: N,
    e: EventMap[N]['e'],
    options: Omit<RaiseOptions<EventMap[N]['e'], EventMap[N]['result']>, 'bottom'> & {
      readonly bottom: (
        e: EventMap[N]['e'],
        signal: AbortSignal,
      ) => AsyncGenerator<Chunks[N], EventMap[N]['result'], undefined> | Maybe<EventMap[N]['result']>;
    },
  ): Stream<Chunks[N], EventMap[N]['result']>;
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
  /**
   * The only way a host asks a model: `turn.step`, then `llm.request`, then `send`. Yields the chunks that leave the outermost
   * hook; the response, by `return` and as `.result`, is put together from them. Leaving the loop aborts the request.
   */
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
  /**
   * Refuses what comes after with `engine.closed`, cancels the hooks' timers, waits `graceMs` for what runs, aborts it then,
   * and lets the observers' queues run empty.
   */
  close(): Promise<void>;
}
