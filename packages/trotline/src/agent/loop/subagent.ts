import { randomBytes } from 'node:crypto';
import type { Message } from '../models/types.ts';
import type { Tool } from '../tools/types.ts';
import { allowList } from './allow.ts';
import { beginTurn, type Completed, completeTurn } from './complete.ts';
import { type AgentInfo, type Loop, noUsage, type Turn } from './context.ts';
import { createConversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { paired } from './pairs.ts';
import { notify } from './raise.ts';
import { systemSections } from './system.ts';
import type { SubagentType } from './types.ts';

/** What is to be started, after every hook had its say. */
export interface Wanted extends Omit<AgentInfo, 'status'> {
  readonly prompt: string;
  readonly kind: SubagentType;
  readonly model?: string;
}

/** A session that starts more than these forgets the oldest. */
const maxListed = 1_000;

export const newAgentId = (): string => `agent-${randomBytes(4).toString('hex')}`;

/** Runs a subagent on its parent's line, from its prompt to its answer. */
export async function runSubagent(parent: Loop, loop: Loop, wanted: Wanted, signal: AbortSignal): Promise<Completed> {
  const { engine, sessionId } = loop.shared;
  const { prompt, description, type, id: agentId } = wanted;
  const turnId = `${agentId}-turn-1`;
  const turn: Turn = { loop, turnId, signal, inbox: createInbox(), index: 0, usage: noUsage, tokens: 0 };
  const where = { sessionId, turnId, agentId };
  const parentTurnId = parent.turnId === undefined ? {} : { parentTurnId: parent.turnId };
  list(loop, wanted, 'running');
  notify(engine, 'agent.started', { ...where, subagentType: type, description, ...parentTurnId });
  const completed = await completeTurn(turn, prompt, loop.conversation.mark(), async () => {
    await loop.conversation.add({ role: 'user', content: prompt }, 'prompt');
    await beginTurn(turn, prompt);
    return undefined;
  });
  const { status } = completed.result;
  list(loop, wanted, status === 'error' ? 'failed' : status === 'aborted' ? 'killed' : 'completed');
  notify(engine, 'agent.ended', { ...where, status });
  return completed;
}

function list(
  { shared }: Loop,
  { prompt: _, kind: __, model: ___, ...info }: Wanted,
  status: AgentInfo['status'],
): void {
  shared.agents.set(info.id, { ...info, status });
  for (const id of shared.agents.keys()) if (shared.agents.size > maxListed) shared.agents.delete(id);
}

/** The tools of a new loop, from those of its parent. */
export type MakeTools = (given: Iterable<Tool>, loop: () => Loop, depth: number) => ReadonlyMap<string, Tool>;

/** A subagent's loop, which nothing runs yet. Throws where its model is none. */
export function childLoop(parent: Loop, makeTools: MakeTools, { id, type, kind, model }: Wanted): Loop {
  const { shared } = parent;
  const within = allowList(kind.tools);
  const inherited: readonly Message[] = type === 'fork' ? paired(parent.conversation.messages()) : [];
  const depth = parent.depth + 1;
  const given = [...parent.tools.values()].filter(({ name }) => name !== 'Agent');
  const child: Loop = {
    shared,
    agentId: id,
    depth,
    model: model === undefined ? parent.model : parent.model.sibling(model),
    sections: type === 'fork' ? parent.sections : systemSections(kind.system, shared.cwd, shared.system),
    tools: makeTools(given, () => child, depth),
    isAllowed: (tool) => parent.isAllowed(tool) && within(tool),
    conversation: createConversation({ engine: shared.engine, agentId: id, messages: inherited }),
  };
  return child;
}
