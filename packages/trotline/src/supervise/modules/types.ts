import type { Code, TrotlineError } from '@trotline/engine';

/** A file that went into a module, with the SHA-256 (hex) of its bytes. For trust checks and for watching. */
export interface ModuleInput {
  readonly path: string;
  readonly sha256: string;
}

/** Something a person should be able to find out, although loading went on. `code` is of kind `trace`. */
export interface ModuleNote {
  readonly code: Code;
  readonly text: string;
}

/** The loop guards of a module. */
export interface GuardOptions {
  /** How long one synchronous stretch of the module may hold the thread, in milliseconds. Default 1,000. */
  readonly budgetMs?: number;
  /** `false` compiles the module without guards: a busy loop then hangs the process. Default `true`. */
  readonly enabled?: boolean;
  /** Told each time a busy loop is stopped, also when the module swallows the error. */
  readonly onStopped?: (error: TrotlineError) => void;
}

export interface LoadOptions {
  /** Where compiled modules are kept, in a folder of our own with mode 0700. Without it nothing is kept. */
  readonly cacheDir?: string;
  /** Modules that resolve to objects of the host, by specifier: `{ trotline: await import('trotline') }`. */
  readonly virtual?: Readonly<Record<string, object>>;
  readonly guard?: GuardOptions;
  /** JSX of files without a pragma: `importSource` is the package of `jsx-runtime`. Default `react`. */
  readonly jsx?: { readonly importSource?: string };
  /** How long a top-level await may take, in milliseconds. Default 10,000. */
  readonly loadTimeoutMs?: number;
  /** Runs when all files are known and none of their code has run. Throwing refuses the module. */
  readonly beforeRun?: (inputs: readonly ModuleInput[]) => void | Promise<void>;
}

/** What `import` would give: the exports by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

export interface LoadedModule {
  readonly exports: ModuleExports;
  /** The entry first, then every file bundled with it. Packages are not among them. */
  readonly inputs: readonly ModuleInput[];
  /** Whether the compiled module came from the cache. */
  readonly fromCache: boolean;
  readonly notes: readonly ModuleNote[];
  /**
   * Calls a function of the module with a budget of its own for the synchronous stretch, in milliseconds.
   * Throws `modules.busy-loop` when the stretch was stopped, even if the module swallowed the error.
   */
  withBudget<T>(budgetMs: number, call: () => T): T;
  /** Runs code that is not the module's, such as `next`, with the module's clock stopped. */
  outsideBudget<T>(call: () => T): T;
  /** Where in the module's own files an error arose: the first frame of its stack that lies in one of them. */
  placeOf(error: unknown): { readonly file: string; readonly line: number; readonly column: number } | undefined;
  /** Lets go of the module. Timers and listeners that it started stay: they are its own. */
  dispose(): void;
}

/** How an import that is not bundled is served at run time. */
export interface External {
  readonly specifier: string;
  readonly importer: string;
  readonly kind: 'virtual' | 'builtin' | 'package';
  /** The file that the package resolves to, for imports; a `require` is resolved when it runs. */
  readonly resolved?: string;
}

/** A loop or function that carries a guard. */
export interface GuardPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly what: 'loop' | 'function';
}

/** A file that decided how an import resolved: its digest, or `null` where it must stay absent. */
export interface Probe {
  readonly path: string;
  readonly sha256: string | null;
}

/** A compiled module: all that is needed to run it, and to know whether it is still current. */
export interface Bundle {
  readonly code: string;
  readonly inputs: readonly ModuleInput[];
  readonly probes: readonly Probe[];
  readonly externals: readonly External[];
  readonly places: readonly GuardPlace[];
}
