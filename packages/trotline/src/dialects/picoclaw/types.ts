import type { HookTimeouts, OnError, ProcessHook } from '../../config/index.ts';
import type { PeerHealth } from '../../supervise/process/index.ts';

/** One entry of `hooks.processes`, as the configuration reads it. */
export type ProcessSpec = Pick<
  ProcessHook,
  | 'name'
  | 'command'
  | 'dir'
  | 'env'
  | 'envAllow'
  | 'observe'
  | 'intercept'
  | 'dialect'
  | 'restart'
  | 'priority'
  | 'layer'
  | 'place'
> & { readonly timeouts: HookTimeouts; readonly onError?: OnError };

export interface PicoclawOptions {
  /** What a process inherits of, and whose PATH finds it. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder for what hooks print to stderr, one bounded file a hook. Absent: kept in memory only. */
  readonly logDir?: string;
  /** A process that cannot start is seated all the same: it is tried again, and until it is back its policy speaks. */
  readonly keepGoing?: boolean;
}

export interface ProcessHealth extends PeerHealth {
  readonly name: string;
  /** For people. `failing`: it is starting, or about to be started again. `down`: it stays down until it is started anew. */
  readonly health: 'ok' | 'failing' | 'down';
  /** Why it is not `ok`, one sentence without a full stop. */
  readonly problem?: string;
  /** As its handshake told; `undefined` before. */
  readonly dialect: 'docs' | 'upstream' | undefined;
  readonly logFile?: string;
}
