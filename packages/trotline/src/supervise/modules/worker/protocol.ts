import type { Code, FailureClass, Place } from '@trotline/engine';
import type { ModuleInput, ModuleNote } from '../types.ts';

/** Cells of the memory that host and worker share: readable while the worker's thread is stuck. */
export const RUNNING = 0;
export const HEARTBEAT = 1;
/** The last call that began. Calls begin in the order they were sent, so what is beyond it never did. */
export const BEGUN = 2;
export const CELLS = 3;

/** What a module registered, in the order of its `on` calls. */
export interface HookDescription {
  readonly pattern: string;
  readonly matcher?: object;
  readonly options?: object;
  /** Whether it has a `.catch` handler. */
  readonly handler: boolean;
}

/** An error on its way between the threads: what is left of it when class and identity are gone. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly place?: Place;
  readonly code?: Code;
  readonly failureClass?: FailureClass;
  /** Set for control, which is not a failure. */
  readonly control?: { readonly name: string; readonly hook: string; readonly reason: string };
  /** The request whose failure this is, when a hook throws on what `next` or an op rejected with. */
  readonly request?: number;
}

/** The members of `next` that do not change during a call. */
export interface NextFacts {
  readonly event: string;
  readonly origin?: unknown;
  readonly dryRun?: boolean;
  readonly called?: boolean;
  readonly error?: { readonly class: string; readonly message: string };
  readonly budgetMs: number;
}

export type Part = 'hook' | 'handler';

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure };

export type ToWorker =
  | { readonly type: 'go'; readonly refused?: string }
  | {
      readonly type: 'call';
      readonly call: number;
      readonly hook: number;
      readonly part: Part;
      readonly e: unknown;
      readonly facts: NextFacts;
    }
  | {
      readonly type: 'reply';
      readonly call: number;
      readonly request: number;
      readonly outcome: Outcome;
      readonly trace?: unknown;
    }
  | { readonly type: 'abort'; readonly call: number }
  | { readonly type: 'ping' };

export type FromWorker =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'inputs'; readonly inputs: readonly ModuleInput[] }
  | {
      readonly type: 'ready';
      readonly hooks: readonly HookDescription[];
      readonly notes: readonly ModuleNote[];
      readonly fromCache: boolean;
    }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'started'; readonly call: number }
  | {
      readonly type: 'next';
      readonly call: number;
      readonly request: number;
      readonly e: unknown;
      readonly tier?: string;
    }
  | {
      readonly type: 'op';
      readonly call: number;
      readonly request: number;
      readonly path: readonly string[];
      readonly args: readonly unknown[];
    }
  | { readonly type: 'note'; readonly call: number; readonly code: string; readonly reason?: string }
  | { readonly type: 'settled'; readonly call: number; readonly outcome: Outcome };

/** What a worker is started with. Everything in it can be cloned. */
export interface Brief {
  readonly file: string;
  readonly register: string;
  readonly config: unknown;
  readonly cacheDir?: string;
  /** Virtual modules by specifier: what the worker itself imports in their place. */
  readonly virtual: Readonly<Record<string, string>>;
  readonly guard: { readonly budgetMs?: number; readonly enabled?: boolean };
  readonly jsx?: { readonly importSource?: string };
  readonly loadTimeoutMs?: number;
  readonly cells: SharedArrayBuffer;
}
