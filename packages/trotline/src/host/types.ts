import type { Engine, EngineOptions } from '@trotline/engine';
import type { LayerName, MergedConfig } from '../config/index.ts';
import type { Shown } from '../ops/index.ts';
import type { Records } from '../records/index.ts';
import type { Register } from './stage.ts';

/** What a caller of `openLine` decides. All paths may be relative to `cwd`. */
export interface OpenLineOptions {
  /** Where the configuration is searched from, upward, and relative commands start. Default: the process's. */
  readonly cwd?: string;
  /** Where tools and ops work, if elsewhere (`--cwd`). Default: `cwd`. */
  readonly workdir?: string;
  /** A configuration file that stands in place of the project's; the person named it, so it needs no trust. */
  readonly config?: string;
  /** `~/.trotline` unless `TROTLINE_HOME` or this says otherwise. */
  readonly home?: string;
  /** The managed file. Only a program may move it. */
  readonly managedFile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Trust the project's file as it is now, for this run (`--trust`). */
  readonly trust?: boolean;
  /** `--no-hooks`: no hook of any file is seated. Recorded; refused under a managed file. */
  readonly noHooks?: boolean;
  /** Start although a `closed` hook cannot; its duties are denied until it is back. */
  readonly keepGoing?: boolean;
  /** `TOOL[:pattern]` or `*`: lifts the permission default, never a rule. */
  readonly allow?: readonly string[];
  /** Who answers questions. Absent: nobody can be asked, and an ask is a deny that says what to do. */
  readonly asker?: LineAsker;
  /** Reload when a watched file changes. A reload that fails keeps the old set. */
  readonly watch?: boolean;
  /** The tool's session, recorded with each decision. */
  readonly sessionId?: string;
  /** Open in spite of errors in the configuration, without what is faulty (`hooks`, `check`, `doctor`). */
  readonly tolerant?: boolean;
  /** Builtins by name, for `hooks.builtins` entries without a module. */
  readonly builtins?: Readonly<Record<string, Register>>;
  /** Ops of the caller's own (`model.complete`, `session.messages` …), over the host's. */
  readonly ops?: EngineOptions['ops'];
  /** Shown to the person: what hooks log, and what the host has to tell. Default: nowhere. */
  readonly show?: (shown: Shown) => void;
}

/** A question to a person about one call. */
export interface LineQuestion {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agentId?: string;
  /** Who asks: a rule, a hook, the permission default. */
  readonly by: string;
  readonly reason?: string;
  readonly digest: string;
}

export interface LineAnswer {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  /** `session`: the same call is not asked again while this line is open. */
  readonly remember?: 'once' | 'session';
}

export interface LineAsker {
  ask(question: LineQuestion, signal: AbortSignal): Promise<LineAnswer>;
}

/** One owner as `trotline hooks` and `doctor` show it. */
export interface OwnerState {
  readonly name: string;
  readonly layer: LayerName;
  readonly realm: 'inline' | 'worker' | 'process';
  /** `untrusted`: known, not started. `off`: `enabled` is false. */
  readonly state: 'ready' | 'untrusted' | 'off' | 'failed' | 'refused';
  readonly place: string;
  /** Why it is not ready. */
  readonly problem?: string;
}

/** An engine with everyone's hooks on it. */
export interface Line extends Engine {
  /** Where tools and ops work. */
  readonly cwd: string;
  readonly records: Records;
  /** What the files say, merged; the newest that was accepted. */
  readonly config: MergedConfig;
  readonly owners: readonly OwnerState[];
  /** All problems of all files, errors and warnings, each with code and place. */
  readonly problems: readonly LineProblem[];
  /** Reads the files again. Keeps the old set, and says why, if that fails. */
  reload(): Promise<{ readonly changed: boolean; readonly problems: readonly LineProblem[] }>;
  close(): Promise<void>;
}

export interface LineProblem {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
  readonly remedy?: string;
}
