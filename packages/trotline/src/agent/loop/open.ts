import type { Engine } from '@trotline/engine';
import type { Tool } from '../tools/types.ts';
import type { Shared } from './context.ts';
import { type Conversation, createConversation, type Mark } from './conversation.ts';
import { raise } from './raise.ts';
import { readRows } from './rows.ts';
import { ownSubagents } from './spawn.ts';
import type { AgentOptions, SubagentType } from './types.ts';

/** Where a turn began that is to be cut. */
export interface Failed {
  readonly mark: Mark;
  readonly reason: string;
}

/** The conversation of the session to go on with, or of a new one. */
export async function openConversation(
  { engine, sessions, cwd, sessionId: given }: AgentOptions,
  shared: Shared,
  sessionId: string,
): Promise<{ conversation: Conversation; pending?: Failed }> {
  if (sessions === undefined) return { conversation: createConversation({ engine }) };
  const stored = given === undefined ? undefined : await sessions.load(sessionId);
  if (stored === undefined) await sessions.create({ id: sessionId, cwd });
  const { messages, lastSeq, answers, failed } = readRows(stored?.rows ?? []);
  shared.iterations = answers;
  const conversation = createConversation({ engine, messages, store: { sessions, sessionId, lastSeq } });
  return failed === undefined ? { conversation } : { conversation, pending: { mark: failed, reason: failed.reason } };
}

/** The kinds of subagent that the hooks let the model know of. */
export async function offer({ engine, subagents }: AgentOptions): Promise<ReadonlyMap<string, SubagentType>> {
  const offered = new Map<string, SubagentType>();
  for (const [name, type] of Object.entries({ ...ownSubagents, ...subagents })) {
    const e = {
      agent: name,
      description: type.description,
      source: name in ownSubagents ? 'built-in' : 'program',
      provider: { plugin: 'engine', tier: 'core' as const },
    };
    const { isOffered } = await raise(engine, 'agent.offer', e, () => ({ isOffered: true }));
    if (isOffered !== false) offered.set(name, type);
  }
  return offered;
}

/** The tools in the words that hooks give them. */
export async function describe(engine: Engine, tools: ReadonlyMap<string, Tool>): Promise<ReadonlyMap<string, Tool>> {
  const described = new Map<string, Tool>();
  for (const [name, tool] of tools) {
    const { description: own } = tool;
    const [, server] = /^mcp__(.+?)__/.exec(name) ?? [];
    const provider = { plugin: server === undefined ? 'engine' : `mcp:${server}`, tier: 'core' as const };
    const e = { tool: name, description: own, provider };
    const { description } = await raise(engine, 'tool.describe', e, (final) => ({ description: final.description }));
    described.set(name, description === own ? tool : { ...tool, description: String(description) });
  }
  return described;
}
