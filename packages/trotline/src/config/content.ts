import type { Place } from '@trotline/engine';
import type { Document } from './document.ts';
import type { Reporter } from './problem.ts';
import type {
  BuiltinHook,
  HookTimeouts,
  LayerName,
  ManagedOptions,
  McpServerEntry,
  ModelConfig,
  ProcessHook,
  Rule,
  SourceEntry,
} from './types.ts';

/** A value with where it was written. */
export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

/** What merging adds to a hook. */
type Settled = 'timeouts' | 'disabledBy';

/** Times a hook sets for itself, before any default. */
export interface OwnTimes {
  readonly callMs?: number;
  readonly approvalMs?: number;
}

export type HookEntry =
  | (Omit<BuiltinHook, Settled> & { readonly own: OwnTimes })
  | (Omit<ProcessHook, Settled> & { readonly own: OwnTimes });

/** The lists of sources a configuration has. */
export const sourceLists = ['extensions', 'mods', 'settings'] as const;
export type SourceList = (typeof sourceLists)[number];

/** Everything one layer says, before authority is applied. */
export interface LayerContent {
  readonly hooksEnabled?: Placed<boolean>;
  readonly defaults: Partial<HookTimeouts>;
  readonly hooks: readonly HookEntry[];
  readonly rules: readonly Rule[];
  readonly model?: ModelConfig;
  readonly answered?: Placed<'pass' | 'check'>;
  readonly expireMs?: Placed<number>;
  readonly recordsDir?: Placed<string>;
  readonly maxIterations?: Placed<number>;
  readonly compactAtTokens?: Placed<number>;
  readonly parallelTools?: Placed<boolean>;
  readonly tools?: Placed<readonly string[]>;
  readonly system: readonly string[];
  readonly mcpServers: readonly McpServerEntry[];
  readonly extensions: readonly SourceEntry[];
  readonly mods: readonly SourceEntry[];
  readonly settings: readonly SourceEntry[];
  readonly managed: Partial<ManagedOptions>;
}

export const emptyContent: LayerContent = {
  defaults: {},
  hooks: [],
  rules: [],
  system: [],
  mcpServers: [],
  extensions: [],
  mods: [],
  settings: [],
  managed: {},
};

/** What the readers of the parts of a file share. */
export interface ReadContext {
  readonly document: Document;
  readonly report: Reporter;
  readonly layer: LayerName;
  /** The working directory of trotline. */
  readonly cwd: string;
  /** The folder the file stands in. */
  readonly folder: string;
  /** Real path of the folder a project may not leave; absent for layers that may go anywhere. */
  readonly root?: string;
  /** Unknown keys are warnings: the file was written for another program. */
  readonly lax: boolean;
}

/** One layer from a file and what it extends: what stands in `over` wins, lists follow on. */
export function combine(base: LayerContent, over: LayerContent): LayerContent {
  const named = <T extends { readonly name: string }>(first: readonly T[], wins: readonly T[]): T[] => {
    const own = new Set(wins.map((entry) => entry.name));
    return [...first.filter((entry) => !own.has(entry.name)), ...wins];
  };
  const sources = (list: SourceList): SourceEntry[] => named(base[list], over[list]);
  return {
    ...base,
    ...over,
    defaults: { ...base.defaults, ...over.defaults },
    hooks: named<HookEntry>(base.hooks, over.hooks),
    rules: [...base.rules, ...over.rules],
    system: [...base.system, ...over.system],
    mcpServers: named(base.mcpServers, over.mcpServers),
    extensions: sources('extensions'),
    mods: sources('mods'),
    settings: sources('settings'),
    managed: { ...base.managed, ...over.managed },
  };
}
