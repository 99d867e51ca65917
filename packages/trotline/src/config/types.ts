import type { Code, Place } from '@trotline/engine';

/** Whose configuration it is, strongest first: `flag` is the file given with `--config`, in place of a project's. */
export type LayerName = 'managed' | 'flag' | 'person' | 'project';

/** Something to tell about a configuration, shaped like the detail of a TrotlineError. */
export interface Problem extends Place {
  readonly code: Code;
  /** `error`: do not start with it. `warning`: it counts, and is probably not what was meant. `notice`: for information. */
  readonly severity: 'error' | 'warning' | 'notice';
  readonly layer?: LayerName;
  /** What is wrong, one sentence without a full stop. */
  readonly what: string;
  readonly expected?: string;
  readonly remedy: string;
}

/** Times of one hook, in milliseconds. */
export interface HookTimeouts {
  readonly observerMs: number;
  readonly interceptorMs: number;
  readonly approvalMs: number;
  readonly handshakeMs: number;
}

/** What happens when a hook fails. `on_error` continue, deny, abort and their synonyms open, closed; `ask`. */
export type OnError = 'open' | 'closed' | 'ask' | 'abort';

/** Where a module runs: `false` in this process, `true` or `own` in a worker thread of its own. */
export type WorkerChoice = boolean | 'own';

interface HookBase {
  /** Unique over all layers. */
  readonly name: string;
  readonly layer: LayerName;
  readonly place: Place;
  /** Whether it runs. False by its own `enabled`, or because a layer with authority over it switched hooks off. */
  readonly enabled: boolean;
  /** Who switched it off, where that is not its own entry. */
  readonly disabledBy?: { readonly layer: LayerName; readonly place: Place };
  readonly priority: number;
  /** Absent: the dialect's own default. */
  readonly onError?: OnError;
  /** Its own times, else the defaults of its layer and of those with authority over it. A weaker layer has no say. */
  readonly timeouts: HookTimeouts;
}

/** `hooks.builtins.<name>`: a module, or without `module` a factory that the program registered. */
export interface BuiltinHook extends HookBase {
  readonly kind: 'builtin';
  /** Absolute path. */
  readonly module?: string;
  readonly worker?: WorkerChoice;
  /** Handed to the factory as it stands. */
  readonly config?: unknown;
}

/** When a process hook that ended is started again. */
export interface RestartPolicy {
  readonly enabled: boolean;
  /** Restarts within the window after which it is given up. */
  readonly max: number;
  readonly windowMs: number;
  /** Wait before the first restart; doubled for each further one. */
  readonly backoffMs: number;
}

/** `hooks.processes.<name>`. */
export interface ProcessHook extends HookBase {
  readonly kind: 'process';
  readonly transport: 'stdio';
  /** Program and arguments. A relative program path is made absolute; arguments are as written. */
  readonly command: readonly string[];
  /** Absolute. The working directory of trotline when the file names none. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables to pass on from trotline's environment. Absent: the dialect's own rule. */
  readonly envAllow?: readonly string[];
  /** As written; `*`, `all` and the empty string select every event. */
  readonly observe: readonly string[];
  /** As written, without empty strings. */
  readonly intercept: readonly string[];
  readonly dialect: 'auto' | 'docs' | 'upstream';
  readonly restart: RestartPolicy;
}

export type MergedHook = BuiltinHook | ProcessHook;

/** One line of `policy`. */
export interface Rule {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** A tool name, possibly with `*` and `?`. */
  readonly tool: string;
  /** Against the tool's main argument. */
  readonly pattern?: string;
  /** Patterns by argument name; all must match. */
  readonly match?: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly layer: LayerName;
  readonly place: Place;
}

export interface ModelConfig {
  /** `provider/model`, or `script:FILE`. */
  readonly name: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. Never the key. */
  readonly apiKeyEnv?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Further keys of the request's body, under the provider's own names. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly layer: LayerName;
  readonly place: Place;
}

export interface ApprovalsConfig {
  /** Whether an answer a hook gives for a registered tool passes `tool.check` first. */
  readonly answered: 'pass' | 'check';
  /** How long an approval may stay open, in milliseconds. */
  readonly expireMs: number;
}

export interface RecordsConfig {
  /** Absolute. Absent: the state folder. */
  readonly dir?: string;
}

export interface AgentConfig {
  readonly maxIterations?: number;
  readonly compactAtTokens?: number;
  readonly parallelTools: boolean;
  /** The only tools offered. Absent: all. */
  readonly tools?: readonly string[];
  /** Additions to the system prompt, strongest layer first. */
  readonly system: readonly string[];
  /** Strongest layer first, then in the order of the file. Disabled ones included. */
  readonly mcpServers: readonly McpServerEntry[];
}

/** `agent.mcp_servers.<name>`: an MCP server whose tools the agent is offered. */
export interface McpServerEntry {
  /** Unique over all layers. Letters, digits, `-`, and single `_` between them. */
  readonly name: string;
  /** Program and arguments. A relative program path is made absolute; arguments are as written. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. The working directory of trotline when the file names none. */
  readonly dir: string;
  readonly enabled: boolean;
  readonly layer: LayerName;
  readonly place: Place;
}

/** One entry of `extensions`, `mods` or `settings`. */
export interface SourceEntry {
  /** Given, or the last part of the path. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly enabled: boolean;
  readonly worker?: WorkerChoice;
  readonly onError?: OnError;
  readonly timeoutMs?: number;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly layer: LayerName;
  readonly place: Place;
}

/** What only the managed file may say. */
export interface ManagedOptions {
  /** A hook may loosen a rule's deny. */
  readonly hooksMayOverrideDeny: boolean;
  /** Hooks of the person and of projects do not run. */
  readonly managedHooksOnly: boolean;
  /** Mods of the person and of projects do not run. */
  readonly managedModsOnly: boolean;
}

/** What runs: every layer that applies, merged by authority. An untrusted project has no part in it. */
export interface MergedConfig {
  /** In order of layer, then builtins before processes, then name. Disabled ones included. */
  readonly hooks: readonly MergedHook[];
  /** For hooks that no file defines. */
  readonly timeouts: HookTimeouts;
  /** Strongest layer first, in the order of the file. A weaker layer's `allow` never lifts a stronger one's `ask` or `deny`. */
  readonly rules: readonly Rule[];
  readonly model?: ModelConfig;
  readonly approvals: ApprovalsConfig;
  readonly records: RecordsConfig;
  readonly agent: AgentConfig;
  readonly extensions: readonly SourceEntry[];
  readonly mods: readonly SourceEntry[];
  readonly settings: readonly SourceEntry[];
  readonly managed: ManagedOptions;
}

/** `not-needed`: the person's own, or managed. `changed`: trusted once, but a file it covers is different now. */
export type TrustState = 'not-needed' | 'trusted' | 'untrusted' | 'changed';

/** One configuration file with what it extends. */
export interface ConfigLayer {
  readonly name: LayerName;
  /** Absolute. */
  readonly file: string;
  /** The folder that holds it, links resolved. A project's paths may not leave it. */
  readonly root: string;
  readonly kind: 'trotline' | 'picoclaw';
  readonly trust: TrustState;
  /** Inputs that differ from what was trusted, when `trust` is `changed`. */
  readonly changed: readonly string[];
  /** SHA-256 (hex) by absolute path of every file that trust covers; only for a project. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether it takes part in `merged`. */
  readonly applied: boolean;
  /** What it says, alone; for showing an untrusted project before it is trusted. */
  readonly hooks: readonly MergedHook[];
  readonly mcpServers: readonly McpServerEntry[];
  readonly rules: readonly Rule[];
  /** Itself and what it extends, in the order read. */
  readonly files: readonly string[];
}

export interface LoadOptions {
  /** Where the search for a project's file starts, and what `command` and `dir` are relative to. */
  readonly cwd: string;
  /** Stands in place of the project search. Relative to `cwd`. */
  readonly configFile?: string;
  /** The state folder, `~/.trotline` unless `TROTLINE_HOME` says otherwise. */
  readonly home?: string;
  /** The managed file. Absent: the path of the platform. */
  readonly managedFile?: string;
  /** Absent: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Rules of the command line, `TOOL[:pattern]`; they have the person's authority. */
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  /**
   * Trust the project for this run only (`--trust`): `true` as it stands now, a record only with these digests by path. What was loaded
   * with `true` carries the record in its `options`, so that loading it again does not trust what changed meanwhile.
   */
  readonly trustOnce?: boolean | Readonly<Record<string, string>>;
  /** Unknown keys in the hooks of a PicoClaw file are errors instead of warnings. */
  readonly strict?: boolean;
  /** Further files that a module brings in, absolute; the default finds relative imports. */
  readonly moduleInputs?: ModuleInputs;
}

/** Finds the files a module brings in, itself not included. */
export type ModuleInputs = (module: string) => Promise<readonly string[]>;

export interface LoadedConfig {
  readonly options: LoadOptions;
  /** Absolute. */
  readonly home: string;
  /** Strongest first. Files that do not exist have no layer. */
  readonly layers: readonly ConfigLayer[];
  readonly merged: MergedConfig;
  /** Errors and warnings of all files. With an error among them, do not start (`hasErrors`). */
  readonly problems: readonly Problem[];
  readonly notices: readonly Problem[];
  /** Absolute paths whose change would change this; some may not exist yet. */
  readonly watched: readonly string[];
}
