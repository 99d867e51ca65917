import type { VerdictSource } from '@trotline/engine';

/** A decision about one call, as it is handed over. `input` is masked before it is written. */
export interface DecisionInput {
  /** Unique in this installation: a second `started` of one id is refused, which is what makes a call run at most once. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly session?: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly agentId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly decision: 'allow' | 'deny' | 'ask' | 'answered';
  readonly source: VerdictSource;
  readonly reason?: string;
}

/** How a started call ended. */
export interface OutcomeInput {
  readonly status: 'done' | 'failed' | 'aborted';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How long it ran, in milliseconds. */
  readonly ms: number;
  readonly isError: boolean;
}

/**
 * Where a recorded call stands. `running`: started by a process that is still there. `unknown`: started, and its process is gone
 * without an outcome; nobody can say whether it took effect, so it is never run again by itself. `open`: decided, never started.
 */
export type CallState = 'open' | 'running' | 'unknown' | 'done' | 'failed' | 'aborted';

/** A decision as it is read back. `input` is the masked one. */
export interface DecisionRecord extends DecisionInput {
  /** Position in the log, from 1. */
  readonly seq: number;
  /** Keyed digest of the exact call, made before masking. */
  readonly digest: string;
  readonly startedAt?: number;
  readonly outcome?: OutcomeInput;
  readonly state: CallState;
  /** SHA-256 over this row and the hash of the one before, in hex. */
  readonly hash: string;
}

export interface DecisionFilter {
  readonly session?: string;
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly decision?: DecisionInput['decision'];
  /** Only decisions at or after this time, milliseconds since the epoch. */
  readonly since?: number;
  /** At most so many, the newest ones. Default 100, at most 10,000. */
  readonly limit?: number;
}

/** The decision log. A promise of a write resolves once the row is on the disk. */
export interface Decisions {
  /** Writes a decision; with `started` also the word "started", in the same transaction. Throws `records.not-json`, `records.write`. */
  decided(decision: DecisionInput, options?: { readonly started?: boolean }): Promise<void>;
  /** Writes that the call is about to run. Throws `records.started-twice` where it was started before. */
  started(id: string, at?: number): Promise<void>;
  /** Writes how the call ended. Throws `records.settled-twice`. */
  settled(id: string, outcome: OutcomeInput): Promise<void>;
  /** The newest decision of one id. */
  get(id: string): Promise<DecisionRecord | undefined>;
  /** Matching decisions, oldest first. */
  find(filter?: DecisionFilter): Promise<readonly DecisionRecord[]>;
  /** Calls found started without outcome whose process is gone: to be shown to a person, never run again. */
  unknown(filter?: Pick<DecisionFilter, 'session' | 'tool' | 'limit'>): Promise<readonly DecisionRecord[]>;
}

export interface SessionInfo {
  readonly id: string;
  readonly cwd: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many rows it holds. */
  readonly rows: number;
  /** What the maker of the session stored beside it, as JSON. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** One row of a session, stored whole. */
export interface SessionRow {
  /** Position in the session, from 1; never used twice, not even after a rollback. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly row: unknown;
}

export interface Session {
  readonly info: SessionInfo;
  readonly rows: readonly SessionRow[];
}

/** Sessions. A promise of a write resolves once the rows are on the disk. */
export interface Sessions {
  /** Makes a session. Without `id` a new UUID. Throws `records.session-exists`. */
  create(session: {
    readonly id?: string;
    readonly cwd: string;
    readonly title?: string;
    readonly meta?: Readonly<Record<string, unknown>>;
  }): Promise<SessionInfo>;
  /** Appends rows, all or none, and returns their positions. Throws `records.no-session`, `records.not-json`. */
  append(sessionId: string, rows: readonly unknown[]): Promise<readonly number[]>;
  /** The session with its rows in order, exactly as they were appended. */
  load(sessionId: string): Promise<Session | undefined>;
  /** The session of this folder that was written to last. */
  latest(cwd: string): Promise<SessionInfo | undefined>;
  /** Sessions, the last written first. `limit` defaults to 50, at most 10,000. */
  list(filter?: { readonly cwd?: string; readonly limit?: number }): Promise<readonly SessionInfo[]>;
  /** Removes every row after `seq` (0 removes all) and returns how many. Throws `records.no-session`. */
  rollbackTo(sessionId: string, seq: number): Promise<number>;
  /** Throws `records.no-session`. */
  setTitle(sessionId: string, title: string): Promise<void>;
}

export interface RecordsOptions {
  /** The state folder. Default `stateDir()`. Made with mode 0700. */
  readonly dir?: string;
  /** Whose values are masked where their names look secret. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further values that must never be written, such as a key read from a file. */
  readonly secrets?: readonly string[];
}

/** The records of one installation. Several processes may hold them open at once. */
export interface Records {
  readonly file: string;
  readonly decisions: Decisions;
  readonly sessions: Sessions;
  /** HMAC-SHA256 of the call's canonical JSON under this installation's key, in hex. Throws `records.not-json`. */
  digest(call: { readonly tool: string; readonly input: unknown }): string;
  /** A copy with secrets replaced. */
  mask(value: unknown): unknown;
  /** Resolves once everything handed over so far is on the disk. */
  flush(): Promise<void>;
  /** Flushes and closes. Later calls throw `records.closed`. */
  close(): Promise<void>;
}
