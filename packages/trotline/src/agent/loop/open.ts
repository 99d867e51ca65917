import type { Engine } from '@trotline/engine';
import { connectMcp, type McpConnections } from '../tools/mcp.ts';
import type { Tool } from '../tools/types.ts';
import { allowList } from './allow.ts';
import type { Loop, Shared } from './context.ts';
import { type Conversation, createConversation, type Mark } from './conversation.ts';
import { isOffered, kindsOf } from './kinds.ts';
import { notify, raise } from './raise.ts';
import { readRows } from './rows.ts';
import { toolsOf } from './spawn.ts';
import { systemSections } from './system.ts';
import type { AgentOptions, SubagentType } from './types.ts';

/** Where a turn began that is to be cut. */
export interface Failed {
  readonly mark: Mark;
  readonly reason: string;
}

/** A main loop, ready for its first prompt. */
export interface Opened {
  readonly loop: Loop;
  /** Prompts that the session had. */
  readonly turns: number;
  readonly failed: Failed | undefined;
}

/** Loads the session, starts MCP servers, raises `session.start` and what tells the hooks of tools and subagents. */
export async function openMain(
  options: AgentOptions,
  shared: Shared,
  tools: readonly Tool[],
  connected: (mcp: McpConnections) => void,
): Promise<Opened> {
  const { engine, cwd, model, isInteractive = false } = options;
  const { surface } = shared;
  const { conversation, failed } = await openConversation(options, shared);
  const mcp = await connectMcp(options.mcpServers ?? {}, { cwd, env: shared.env }, (name, data) =>
    notify(engine, name, data),
  );
  connected(mcp);
  await raise(engine, 'session.start', { cwd, surface, isInteractive }, () => ({ cwd }));
  const offered = await offer(options);
  const all = toolsOf([...tools, ...mcp.tools], offered, () => loop, 0);
  const loop: Loop = {
    shared,
    depth: 0,
    model,
    sections: systemSections(options.basePrompt, cwd, shared.system),
    tools: await describe(engine, all),
    isAllowed: allowList(options.allowedTools),
    conversation,
  };
  return { loop, turns: conversation.messages().filter(({ role }) => role === 'user').length, failed };
}

/** The conversation of the session to go on with, or of a new one. */
async function openConversation(
  { engine, sessions, cwd, sessionId: given }: AgentOptions,
  shared: Shared,
): Promise<{ conversation: Conversation; failed: Failed | undefined }> {
  const { sessionId } = shared;
  if (sessions === undefined) return { conversation: createConversation({ engine }), failed: undefined };
  const stored = given === undefined ? undefined : await sessions.load(sessionId);
  if (stored === undefined) await sessions.create({ id: sessionId, cwd });
  const { messages, lastSeq, answers, failed } = readRows(stored?.rows ?? []);
  shared.iterations = answers;
  const conversation = createConversation({ engine, messages, store: { sessions, sessionId, lastSeq } });
  return { conversation, failed: failed && { mark: failed, reason: failed.reason } };
}

/** The kinds of subagent that the hooks let the model know of. */
async function offer({ engine, subagents }: AgentOptions): Promise<ReadonlyMap<string, SubagentType>> {
  const offered = new Map<string, SubagentType>();
  for (const [name, type] of kindsOf(subagents)) {
    if (await isOffered(engine, name, type)) offered.set(name, type);
  }
  return offered;
}

/** The tools in the words that hooks give them. */
async function describe(engine: Engine, tools: ReadonlyMap<string, Tool>): Promise<ReadonlyMap<string, Tool>> {
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
