import type { GuardOptions, LoadOptions, ModuleInput, ModuleNote } from '../types.ts';
import type { HookDescription } from './protocol.ts';

export interface ModuleWorkerOptions extends Omit<LoadOptions, 'virtual' | 'guard'> {
  /** The export that registers the hooks: it is handed `on` and `config`. Default `register`. */
  readonly register?: string;
  /** Handed to `register`. Plain data. */
  readonly config?: unknown;
  /** Virtual modules by specifier: what the worker imports in their place, as a specifier or URL. */
  readonly virtual?: Readonly<Record<string, string>>;
  readonly guard?: Omit<GuardOptions, 'onStopped'>;
  /** Memory of the worker's heap, in megabytes. Default 256. Reaching it ends the worker, not the process. */
  readonly memoryMb?: number;
  /** How long the thread may take to show a sign of life once a call is over its budget, in milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** What the module prints. Default: to the standard error of the process, because its output belongs to the host. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
  /** Told when a worker ended unasked, and why. */
  readonly onEnded?: (error: Error) => void;
  /** Told when a worker was started again. */
  readonly onRestarted?: () => void;
}

/** The part of a kernel `next` that a call in a worker uses. */
export interface NextLike {
  (e: unknown): unknown;
  readonly to?: (e: unknown, tier: never) => unknown;
  readonly note?: (code: string, reason?: string) => void;
  readonly trace?: readonly object[];
  readonly origin?: unknown;
  readonly dryRun?: boolean;
  readonly called?: boolean;
  readonly error?: { readonly class: string; readonly message: string };
}

export interface CallOptions {
  /** Runs what lies beneath. The call's clock stands still until it settled. */
  readonly next: NextLike;
  /** Serves `$`: `$.fs.read(a)` arrives as `['fs', 'read']` and `[a]`. Without it every op rejects. */
  readonly op?: (path: readonly string[], args: readonly unknown[]) => unknown;
  /** Whether an op counts as the hook's own time, such as `clock.sleep`. Default: none does. */
  readonly metered?: (path: readonly string[]) => boolean;
  /** Fires `next.signal` in the worker. */
  readonly signal?: AbortSignal;
  /** Own time, in milliseconds. */
  readonly budgetMs: number;
  /** `handler` runs the hook's `.catch` handler. Default `hook`. */
  readonly part?: 'hook' | 'handler';
}

export interface ModuleWorker {
  readonly inputs: readonly ModuleInput[];
  readonly hooks: readonly HookDescription[];
  readonly notes: readonly ModuleNote[];
  readonly fromCache: boolean;
  /**
   * Runs a hook. Resolves to a clone of what it returned.
   *
   * Rejects with an error whose `failureClass` is the failure's: `budget` (`modules.worker-stopped`, `modules.busy-loop`), `crash`
   * (`modules.worker-ended`, `modules.worker-set-aside`), `throw` (`modules.hook-threw`), `shape` (`modules.not-cloneable`), `start`
   * (`modules.worker-changed` and the codes of loading). Control, and what `next` or an op rejected with, arrive as they were.
   */
  call(hook: number, event: string, e: unknown, options: CallOptions): Promise<unknown>;
  /** Ends the worker; calls in flight fail with class `crash`. */
  close(): Promise<void>;
}
