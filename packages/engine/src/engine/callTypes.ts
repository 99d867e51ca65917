import type { Maybe, Origin } from '../kernel/index.ts';
import type { Cause } from './hookTypes.ts';

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
