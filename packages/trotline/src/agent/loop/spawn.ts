import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Message, Model } from '../models/types.ts';
import { defineTool } from '../tools/define.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/types.ts';
import { allowList } from './allow.ts';
import { beginTurn, completeTurn } from './complete.ts';
import { type Loop, noUsage, type Turn } from './context.ts';
import { createConversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { paired } from './pairs.ts';
import { notify, raise } from './raise.ts';
import { systemPrompt } from './system.ts';
import type { SubagentType } from './types.ts';

/** Kinds that are always there. */
export const ownSubagents: Readonly<Record<string, SubagentType>> = {
  'general-purpose': { description: 'Works on a task of several steps on its own, and reports.' },
  fork: { description: 'Knows the whole conversation so far; for a side task that needs it.' },
};

/** A subagent's subagent may start one more, and that is all. */
const maxDepth = 3;

/** The tools of a loop: those given and, where it is not nested too deep, `Agent`. */
export function toolsOf(
  given: Iterable<Tool>,
  offered: ReadonlyMap<string, SubagentType>,
  loop: () => Loop,
  depth: number,
): ReadonlyMap<string, Tool> {
  const own = depth < maxDepth && offered.size > 0 ? [createAgentTool(loop, offered)] : [];
  return new Map([...given, ...own].map((tool) => [tool.name, tool]));
}

/** `Agent`: starts a subagent on the same line and answers with its report. `offered` are the kinds hooks let through. */
function createAgentTool(parent: () => Loop, offered: ReadonlyMap<string, SubagentType>): Tool {
  const kinds = [...offered].map(([name, { description }]) => `${name} (${description})`);
  return defineTool({
    name: 'Agent',
    description:
      'Starts a subagent that works on a task with tools of its own and reports when it is done. It knows only the ' +
      `prompt, so say there all it needs. Kinds: ${kinds.join('; ')}.`,
    // Starting one changes nothing; whatever it does passes the line itself.
    isReadOnly: true,
    input: z.object({
      description: z.string().min(1).describe('The task in a few words'),
      prompt: z.string().min(1).describe('The task, whole'),
      subagent_type: z.string().optional().describe('general-purpose unless given'),
      model: z.string().optional().describe('Another model of the same provider'),
    }),
    run: (input, context) => spawn(parent(), offered, input, context),
  });
}

interface SpawnInput {
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type?: string | undefined;
  readonly model?: string | undefined;
}

/** What is to be started, after every hook had its say. */
interface Wanted {
  readonly prompt: string;
  readonly description: string;
  readonly kind: string;
  readonly model?: string;
}

async function spawn(
  parent: Loop,
  offered: ReadonlyMap<string, SubagentType>,
  input: SpawnInput,
  context: ToolContext,
): Promise<ToolOutcome> {
  const agentId = `agent-${randomBytes(4).toString('hex')}`;
  const wanted = await announce(parent, offered, input, context, agentId);
  if ('deny' in wanted) return failed(wanted.deny);
  const type = offered.get(wanted.kind);
  if (type === undefined) {
    return failed(`There is no subagent "${wanted.kind}". Kinds: ${[...offered.keys()].join(', ')}.`);
  }
  const model = wanted.model === undefined ? parent.model : parent.model.sibling(wanted.model);
  const loop = childLoop(parent, offered, type, wanted.kind, agentId, model);
  const turnId = `${agentId}-turn-1`;
  const turn: Turn = {
    loop,
    turnId,
    signal: context.signal,
    inbox: createInbox(),
    index: 0,
    usage: noUsage,
    tokens: 0,
  };
  return report(parent, turn, wanted);
}

/** Raises `agent.spawn`. */
async function announce(
  { shared, model: parentModel, agentId: parentAgentId }: Loop,
  offered: ReadonlyMap<string, SubagentType>,
  { description, prompt, subagent_type = 'general-purpose', model }: SpawnInput,
  { signal, toolUseId }: ToolContext,
  agentId: string,
): Promise<Wanted | { readonly deny: string }> {
  let wanted: Wanted | undefined;
  const answer = await raise(
    shared.engine,
    'agent.spawn',
    {
      tool_use_id: toolUseId,
      prompt,
      description,
      subagentType: subagent_type,
      provider: { plugin: 'engine', tier: 'core' },
      parentModel: parentModel.id,
      background: false,
      fork: subagent_type === 'fork',
      ...(model === undefined ? {} : { model }),
      ...(parentAgentId === undefined ? {} : { parentAgentId }),
    },
    (e) => {
      // A fork goes on with its parent's conversation, so it keeps its parent's model.
      const chosen = e.subagentType === 'fork' ? undefined : (e.model ?? offered.get(e.subagentType)?.model);
      const other = chosen === undefined || chosen === 'inherit' ? {} : { model: chosen };
      wanted = { prompt: e.prompt, description: e.description, kind: e.subagentType, ...other };
      return { model: wanted.model ?? parentModel.id, agentId };
    },
    signal,
  );
  if ('deny' in answer) return answer;
  return wanted ?? { deny: 'A hook answered in place of the subagent, and none was started.' };
}

/** Runs a subagent's turn; its answer is the result. */
async function report(parent: Loop, turn: Turn, { prompt, description, kind }: Wanted): Promise<ToolOutcome> {
  const { loop, turnId } = turn;
  const { engine, sessionId } = loop.shared;
  const where = { sessionId, turnId, agentId: loop.agentId ?? '' };
  const parentTurnId = parent.turnId === undefined ? {} : { parentTurnId: parent.turnId };
  notify(engine, 'agent.started', { ...where, subagentType: kind, description, ...parentTurnId });
  const { result, hardAbort } = await completeTurn(turn, prompt, loop.conversation.mark(), async () => {
    await loop.conversation.add({ role: 'user', content: prompt }, 'prompt');
    await beginTurn(turn, prompt);
    return undefined;
  });
  const { status, text, usage, iterations, reason, error } = result;
  notify(engine, 'agent.ended', { ...where, status });
  if (hardAbort !== undefined) throw hardAbort;
  if (error?.code === 'agent.script-unmet') parent.shared.fatal = error;
  if (status !== 'completed') return failed(`The subagent ended without a report: ${reason ?? status}`);
  notify(engine, 'agent.delivered', { ...where, length: text.length });
  return {
    result: {
      agentId: loop.agentId,
      resolvedModel: loop.model.id,
      content: [{ type: 'text', text }],
      usage,
      iterations,
    },
    text: text === '' ? '(the subagent reported nothing)' : text,
  };
}

function childLoop(
  parent: Loop,
  offered: ReadonlyMap<string, SubagentType>,
  type: SubagentType,
  kind: string,
  agentId: string,
  model: Model,
): Loop {
  const { shared } = parent;
  const within = allowList(type.tools);
  const inherited: readonly Message[] = kind === 'fork' ? paired(parent.conversation.messages()) : [];
  const depth = parent.depth + 1;
  const given = [...parent.tools.values()].filter(({ name }) => name !== 'Agent');
  const child: Loop = {
    shared,
    agentId,
    depth,
    model,
    systemPrompt: kind === 'fork' ? parent.systemPrompt : systemPrompt(type.system, shared.cwd, shared.system),
    tools: toolsOf(given, offered, () => child, depth),
    isAllowed: (tool) => parent.isAllowed(tool) && within(tool),
    conversation: createConversation({ engine: shared.engine, agentId, messages: inherited }),
  };
  return child;
}

const failed = (text: string): ToolOutcome => ({ result: text, text, isError: true });
