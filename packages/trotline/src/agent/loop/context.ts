import type { Engine, TrotlineError } from '@trotline/engine';
import type { Model, ModelOptions, ToolDefinition, Usage } from '../models/types.ts';
import type { Tool } from '../tools/types.ts';
import type { Background } from './background.ts';
import type { Conversation } from './conversation.ts';
import type { Inbox } from './inbox.ts';
import type { Section } from './system.ts';
import type { ShownChunk } from './types.ts';

/** A subagent as `$.agent.list` shows it. */
export interface AgentInfo {
  readonly id: string;
  readonly description: string;
  readonly type: string;
  readonly status: 'running' | 'completed' | 'failed' | 'killed';
  readonly parentId?: string;
  /** The plugin that started it, where one did. */
  readonly spawnedBy?: string;
  readonly name?: string;
}

/** What every loop of an agent shares, subagents' loops included. */
export interface Shared {
  readonly engine: Engine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string;
  readonly modelOptions: ModelOptions;
  readonly effort?: string | number;
  readonly parallelTools: boolean;
  readonly maxIterations: number;
  readonly compactAtTokens?: number;
  readonly maxResultChars: number;
  readonly system: readonly string[];
  readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null;
  /** What hooks said of each section of a system prompt, by its name and its own text. */
  readonly sectionCache: Map<string, string | null>;
  /** The subagents of this session, oldest first. */
  readonly agents: Map<string, AgentInfo>;
  readonly background: Background;
  /** Model answers of the session so far; `turn.iteration` counts them. */
  iterations: number;
  /** What ends the whole agent's turn, wherever it happened: a script that was not met. */
  fatal?: TrotlineError;
}

/** One loop: the main one, or a subagent's. */
export interface Loop {
  readonly shared: Shared;
  /** Absent on the main loop. */
  readonly agentId?: string;
  readonly depth: number;
  readonly model: Model;
  readonly sections: readonly Section[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isAllowed: (tool: string) => boolean;
  readonly conversation: Conversation;
  /** The turn that runs. */
  turnId?: string;
}

/** One turn of a loop, while it runs. */
export interface Turn {
  readonly loop: Loop;
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly inbox: Inbox;
  readonly onChunk?: (chunk: ShownChunk) => void;
  /** Model requests made. */
  index: number;
  usage: Sum;
  /** Tokens of the conversation as the server counted them last. */
  tokens: number;
  /** The system prompt, once the first request needed it. */
  system?: string;
}

/** Usage in which nothing is left out. */
type Sum = Required<{ readonly [K in keyof Usage]: number }>;

export const noUsage: Sum = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

export function addUsage(sum: Sum, usage: Usage | null): Sum {
  if (usage === null) return sum;
  return {
    input_tokens: sum.input_tokens + usage.input_tokens,
    output_tokens: sum.output_tokens + usage.output_tokens,
    cache_read_input_tokens: sum.cache_read_input_tokens + (usage.cache_read_input_tokens ?? 0),
    cache_creation_input_tokens: sum.cache_creation_input_tokens + (usage.cache_creation_input_tokens ?? 0),
  };
}

/** Who and where, for every notice of a turn. */
export function scope({ loop, turnId }: Turn): {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agentId?: string;
} {
  return {
    sessionId: loop.shared.sessionId,
    turnId,
    ...(loop.agentId === undefined ? {} : { agentId: loop.agentId }),
  };
}

/** The tools of a loop that its profile allows, as the model is told of them. */
export function definitionsOf(loop: Loop): readonly ToolDefinition[] {
  return [...loop.tools.values()]
    .filter(({ name }) => loop.isAllowed(name))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
