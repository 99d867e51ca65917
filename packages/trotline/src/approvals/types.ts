import type { Decision } from '@trotline/engine';

/** Where a rule was written. `project` is the only layer whose allow does not lift the permission default. */
export type RuleLayer = 'managed' | 'person' | 'flag' | 'project';

/** A line of `policy`, as the configuration hands it over. */
export interface PolicyRule {
  readonly decision: Decision;
  /** A canonical tool name, or a glob over it (`*`, `mcp__*`). Case counts. */
  readonly tool: string;
  /** A glob over the tool's main argument; `*` is any run of characters, spaces and newlines too. */
  readonly pattern?: string;
  /** Globs over arguments by name; all must match. */
  readonly match?: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly layer: RuleLayer;
  readonly place?: { readonly file?: string; readonly line?: number };
}

/** The call a rule judges: canonical names and arguments, after every rewrite. */
export interface RuleCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What is put to a person. */
export interface Question {
  /** Who asks: the rule, hook or default that wants an answer. */
  readonly who: string;
  readonly why: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Keyed digest of the exact call. */
  readonly digest: string;
  readonly session?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch after which the question counts as answered with no. */
  readonly expiresAt?: number;
}

export interface Answer {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  /** `session`: the same call, or what `pattern` names, is not asked again in this session. Default `once`. */
  readonly remember?: 'once' | 'session';
  /** With `remember: 'session'`: an `--allow`-style `TOOL[:pattern]` to remember instead of the exact call. */
  readonly pattern?: string;
}

/** Somebody who can be asked: a terminal, a page, a process hook. Rejects when `signal` aborts. */
export interface Asker {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
