import type { PeerError } from './failure.ts';

/** Which variables of our own environment a process is given, and which are set for it. */
export interface PeerEnvironment {
  /** The environment to inherit from, and whose PATH finds the program. Default: that of this process. */
  readonly from?: Readonly<Record<string, string | undefined>>;
  /** `all` (the default) passes everything on; a list passes only these names (a trailing `*` matches a prefix). */
  readonly inherit?: 'all' | readonly string[];
  /** Set on top of what is inherited. */
  readonly set?: Readonly<Record<string, string>>;
}

/** Bounds of one process. Times in milliseconds, sizes in bytes. */
export interface PeerLimits {
  /** Longest line read from stdout, newline excluded. Default 1 MiB. */
  readonly maxLineBytes: number;
  /** Longest line kept of stderr; the rest of it is cut. Default 8 KiB. */
  readonly maxStderrLineBytes: number;
  /** Lines of stderr kept in memory. Default 200. */
  readonly stderrLines: number;
  /** Bytes waiting for a process that does not read its stdin. Default 64 MiB; a call beyond them fails. */
  readonly maxQueuedBytes: number;
  /** Notifications waiting for such a process; the oldest is dropped, and counted. Default 256. */
  readonly maxQueuedNotices: number;
  /** Unreadable lines in a row after which a process is given up. Default 1,000. */
  readonly maxNoise: number;
  /** From spawn to the end of the handshake. Default 30,000. */
  readonly handshakeMs: number;
  /** A call without a `timeoutMs` of its own. Default 60,000. */
  readonly callMs: number;
  /** `stop()`: from the end of stdin to SIGTERM. Default 2,000. */
  readonly stdinGraceMs: number;
  /** `stop()`: from SIGTERM to SIGKILL. Default 500. */
  readonly termGraceMs: number;
}

/** When a process that ended is started again. */
export interface RestartPolicy {
  /** First pause. Default 250. */
  readonly firstDelayMs: number;
  /** Longest pause; each is twice the one before. Default 30,000. */
  readonly maxDelayMs: number;
  /** This many ends within `windowMs` trip the breaker: no further start until `restart()`. Default 5. */
  readonly maxExits: number;
  /** Default 60,000. */
  readonly windowMs: number;
}

/**
 * `starting`: spawned, handshake under way. `ready`: answering calls. `waiting`: ended, will be started again.
 * `tripped`: ended too often. `failed`: ended, and restarting is off. `stopping`, `stopped`: by `stop()`.
 */
export type PeerState = 'starting' | 'ready' | 'waiting' | 'tripped' | 'failed' | 'stopping' | 'stopped';

/** Something a process did wrong that failed no call by itself. Each has a trace code. */
export interface PeerFault {
  readonly code:
    | 'supervise.noise'
    | 'supervise.oversized'
    | 'supervise.late'
    | 'supervise.answered-twice'
    | 'supervise.unknown-id'
    | 'supervise.dropped'
    | 'supervise.observer';
  readonly detail: string;
}

export interface CallOptions {
  /** Gives the call up; the promise rejects with the signal's reason, which is no failure of the process. */
  readonly signal?: AbortSignal;
  /** From the call to its answer, waiting for a start included. */
  readonly timeoutMs?: number;
}

/** What the handshake of a dialect is given: calls on a process that is not ready yet. */
export interface Caller {
  call(method: string, params?: unknown, options?: CallOptions): Promise<unknown>;
  notify(method: string, params?: unknown): void;
}

export interface PeerOptions {
  /** How messages name it, such as `process hook "audit"`. */
  readonly name: string;
  /** Program and arguments; no shell. A bare name is looked up in the PATH of `env.from`, never of `env.set`. */
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly env?: PeerEnvironment;
  readonly limits?: Partial<PeerLimits>;
  /** `false`: stays down after its end. Default: restarted by the default policy. */
  readonly restart?: boolean | Partial<RestartPolicy>;
  /** Runs before the first call, in each process anew. What it throws or outlasts fails the start. */
  readonly handshake?: (peer: Caller) => Promise<void>;
  /** Sent as a notification with `{ id }` when a call is given up. Default: nothing is sent. */
  readonly cancelMethod?: string;
  readonly onNotification?: (method: string, params: unknown) => void;
  /** Answers requests of the process. Without it they are refused with -32601. */
  readonly onRequest?: (method: string, params: unknown) => unknown;
  readonly onStderr?: (line: string) => void;
  readonly onState?: (state: PeerState, cause?: PeerError) => void;
  readonly onFault?: (fault: PeerFault) => void;
}

export interface PeerHealth {
  readonly state: PeerState;
  readonly pid: number | undefined;
  /** Starts after the first. */
  readonly restarts: number;
  /** Why it last ended or failed to start. */
  readonly lastError: PeerError | undefined;
  /** Faults by code since the start. */
  readonly faults: Readonly<Record<string, number>>;
  /** The last lines of stderr, oldest first. */
  readonly stderr: readonly string[];
}

export interface Peer extends Caller {
  /** The first start: resolves when ready, rejects with why not. Later starts show in `state`. */
  readonly ready: Promise<void>;
  readonly state: PeerState;
  readonly pid: number | undefined;
  health(): PeerHealth;
  /** Starts a `tripped` or `failed` process anew, its count of ends forgotten. */
  restart(): void;
  /** stdin ends, then SIGTERM, then SIGKILL, to the whole group. Resolves when nothing of it is left. Idempotent. */
  stop(): Promise<void>;
}
