import type { Engine, Maybe, TrotlineError } from '@trotline/engine';
import type { Chunk, Message, Model, ModelOptions, ToolDefinition, Usage } from '../models/types.ts';
import type { McpServer } from '../tools/mcp-transport.ts';
import type { Tool } from '../tools/types.ts';

/** Where a session is kept. The records' sessions fit. */
export interface SessionStore {
  create(session: {
    readonly id?: string;
    readonly cwd: string;
    readonly title?: string;
  }): Promise<{ readonly id: string }>;
  /** Resolves with the position of each row once all are on the disk. */
  append(sessionId: string, rows: readonly unknown[]): Promise<readonly number[]>;
  load(
    sessionId: string,
  ): Promise<{ readonly rows: readonly { readonly seq: number; readonly row: unknown }[] } | undefined>;
  /** Removes every row after `seq`. */
  rollbackTo(sessionId: string, seq: number): Promise<number>;
  /** Names a session after its first prompt. */
  setTitle?(sessionId: string, title: string): Promise<void>;
}

/** What is known of calls of earlier processes. The records' decisions fit. */
export interface CallLog {
  find(filter: {
    readonly session: string;
    readonly toolUseId: string;
  }): Promise<readonly { readonly startedAt?: number; readonly state: string }[]>;
}

/** A kind of subagent that the model may start. */
export interface SubagentType {
  /** For the model: when to use it. */
  readonly description: string;
  /** Its system prompt, in place of the agent's own. */
  readonly system?: string;
  readonly model?: string;
  /** The only tools it gets. Absent: those of whoever starts it. */
  readonly tools?: readonly string[];
}

export interface AgentOptions {
  /** The line that every model request and tool call of this agent goes through. The agent never closes it. */
  readonly engine: Engine;
  readonly model: Model;
  readonly cwd: string;
  /** Absent: `builtinTools()`. */
  readonly tools?: readonly Tool[];
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** The only tools offered and run, by name; `*` stands for any run of characters. Absent: all. */
  readonly allowedTools?: readonly string[];
  /** Run neighbouring calls of read-only tools side by side. Their results keep the order of the calls. */
  readonly parallelTools?: boolean;
  /** Subagents beside `general-purpose` and `fork`. */
  readonly subagents?: Readonly<Record<string, SubagentType>>;
  /** Added to the system prompt. */
  readonly system?: readonly string[];
  /** In place of the agent's own system prompt; `system` is still added. */
  readonly basePrompt?: string;
  readonly modelOptions?: ModelOptions;
  readonly effort?: string | number;
  /** Absent: nothing is kept. */
  readonly sessions?: SessionStore;
  /** With `sessions`: the session to go on with, or the id of a new one. */
  readonly sessionId?: string;
  /** Tells which calls of an earlier process had begun. Without it every open one counts as begun, and none is run again. */
  readonly calls?: CallLog;
  /** Model requests of one turn at most. Default 100. */
  readonly maxIterations?: number;
  /** Shorten the conversation from this many tokens on. Default: 80 % of the model's window, or 160,000. */
  readonly compactAtTokens?: number;
  /** Characters of one tool result that the model is shown at most. Default 200,000. */
  readonly maxResultChars?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Asked before a turn that a hook submitted: how it is shown, and whom to tell of its end. `drop`: there is to be none. */
  readonly ownTurn?: (prompt: { readonly text: string; readonly by: string }) => Maybe<OwnTurn | 'drop'>;
  readonly surface?: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null;
  readonly isInteractive?: boolean;
}

/** What a person is shown of an answer as it comes. `restart`: the answer broke off and begins anew. */
export type ShownChunk = Chunk | { readonly kind: 'restart'; readonly reason: string };

export interface SubmitOptions {
  /** Ends the turn at once, as `interrupt('now')` does. */
  readonly signal?: AbortSignal;
  readonly onChunk?: (chunk: ShownChunk) => void;
  /** What the model reads after the prompt and the person does not see. */
  readonly context?: readonly string[];
}

/** A turn that a hook asked for. */
export interface OwnTurn extends Omit<SubmitOptions, 'context'> {
  /** Awaited before the next turn. */
  readonly onEnd?: (result: TurnResult) => unknown;
}

export interface TurnResult {
  readonly status: 'completed' | 'error' | 'aborted';
  readonly turnId: string;
  /** The last answer; empty where there is none. */
  readonly text: string;
  /** What a hook adds beneath the answer. */
  readonly note?: string;
  /** Why it did not end plainly. */
  readonly reason?: string;
  /** The hook that ended the turn, where one did. */
  readonly hook?: string;
  /** What failed, where something did. */
  readonly error?: TrotlineError;
  readonly usage: Usage;
  /** Model requests made. */
  readonly iterations: number;
}

/** An agent: one conversation, one turn at a time. */
export interface Agent {
  readonly sessionId: string;
  readonly model: Model;
  /** When it was made, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The tools it may use; empty before `ready`. */
  readonly tools: readonly ToolDefinition[];
  /** The turn that runs, if one does. */
  readonly runningTurnId: string | undefined;
  readonly messages: readonly Message[];
  /** Starts MCP servers, loads the session and raises `session.start`. Called by the first prompt if not before. */
  ready(): Promise<void>;
  /** MCP servers that did not start, once `ready`. */
  readonly problems: readonly TrotlineError[];
  /**
   * One turn, from a prompt to its answer. Rejects with `agent.busy`, `agent.closed`, and with what keeps the session
   * store from opening; all else is in the result.
   */
  submit(text: string, options?: SubmitOptions): Promise<TurnResult>;
  /**
   * Goes on with a turn that the end of a process left in the middle; undefined where there is none. Calls that had not
   * begun run now; one that had is never run again, and the model is told that its outcome is not known.
   */
  resume(options?: SubmitOptions): Promise<TurnResult | undefined>;
  /** A message while it works: the model reads it next, remaining tool calls are skipped. `idle`: nothing runs, submit it. */
  steer(text: string): Promise<'queued' | 'dropped' | 'idle'>;
  /** `graceful`: remaining tool calls are skipped and the model sums up. `now`: whatever runs is ended. False if nothing runs. */
  interrupt(how: 'graceful' | 'now', reason?: string): boolean;
  /** Resolves once no turn runs and none waits: hooks may have submitted prompts of their own. */
  idle(): Promise<void>;
  /** A question aside: one request over the conversation, without tools, of which nothing is kept. */
  ask(question: string, options?: SubmitOptions): Promise<string>;
  /** Shortens the conversation now. Rejects with `agent.busy` while a turn runs. */
  compact(
    instructions?: string,
  ): Promise<{ readonly tokensBefore: number; readonly tokensAfter: number } | { readonly skip: string }>;
  /** Ends what runs, raises `session.end`, ends the tools' processes. The engine stays open. */
  close(reason?: 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other'): Promise<void>;
}
