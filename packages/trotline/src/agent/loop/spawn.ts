import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Message, Model } from '../models/types.ts';
import { defineTool } from '../tools/define.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/types.ts';
import { allowList } from './allow.ts';
import { completeTurn } from './complete.ts';
import { type Loop, noUsage, type Turn } from './context.ts';
import { createConversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { paired } from './pairs.ts';
import { raise } from './raise.ts';
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

async function spawn(
  parent: Loop,
  offered: ReadonlyMap<string, SubagentType>,
  { description, prompt, subagent_type = 'general-purpose', model }: SpawnInput,
  { signal, toolUseId }: ToolContext,
): Promise<ToolOutcome> {
  const { engine, sessionId } = parent.shared;
  const agentId = `agent-${randomBytes(4).toString('hex')}`;
  let asked: { prompt: string; description: string; kind: string; model: string | undefined } | undefined;
  const answer = await raise(
    engine,
    'agent.spawn',
    {
      tool_use_id: toolUseId,
      prompt,
      description,
      subagentType: subagent_type,
      provider: { plugin: 'engine', tier: 'core' },
      parentModel: parent.model.id,
      background: false,
      fork: subagent_type === 'fork',
      ...(model === undefined ? {} : { model }),
      ...(parent.agentId === undefined ? {} : { parentAgentId: parent.agentId }),
    },
    (e) => {
      const kind = String(e['subagentType']);
      // A fork goes on with its parent's conversation, so it keeps its parent's model.
      const chosen = kind === 'fork' ? undefined : (e['model'] ?? offered.get(kind)?.model);
      asked = {
        prompt: String(e['prompt']),
        description: String(e['description']),
        kind,
        model: typeof chosen === 'string' && chosen !== 'inherit' ? chosen : undefined,
      };
      return { model: asked.model ?? parent.model.id, agentId };
    },
    signal,
  );
  if (typeof answer['deny'] === 'string') return failed(answer['deny']);
  if (asked === undefined) return failed('A hook answered in place of the subagent, and none was started.');
  const type = offered.get(asked.kind);
  if (type === undefined)
    return failed(`There is no subagent "${asked.kind}". Kinds: ${[...offered.keys()].join(', ')}.`);

  const chosen = asked.model === undefined ? parent.model : parent.model.sibling(asked.model);
  const child = childLoop(parent, offered, type, asked.kind, agentId, chosen);
  const turn: Turn = {
    loop: child,
    turnId: `${agentId}-turn-1`,
    signal,
    inbox: createInbox(),
    index: 0,
    usage: noUsage,
    tokens: 0,
  };
  const scope = {
    sessionId,
    agentId,
    turnId: turn.turnId,
    toolUseId,
    subagentType: asked.kind,
    description: asked.description,
  };
  engine.notice('agent.started', {
    ...scope,
    model: child.model.id,
    ...(parent.agentId && { parentAgentId: parent.agentId }),
  });
  const { result, hardAbort } = await completeTurn(turn, child.conversation.mark(), async () => {
    await child.conversation.add({ role: 'user', content: asked?.prompt ?? prompt }, 'prompt');
    const start = { text: asked?.prompt ?? prompt, turnId: turn.turnId, agentId };
    await raise(engine, 'turn.start', start, () => ({ turnId: turn.turnId }), signal);
    return undefined;
  });
  engine.notice('agent.ended', { ...scope, status: result.status, contentLength: result.text.length });
  if (hardAbort !== undefined) throw hardAbort;
  if (result.error?.code === 'agent.script-unmet') parent.shared.fatal = result.error;
  if (result.status !== 'completed')
    return failed(`The subagent ended without a report: ${result.reason ?? result.status}`);
  const { text, usage, iterations } = result;
  return {
    result: { agentId, resolvedModel: child.model.id, content: [{ type: 'text', text }], usage, iterations },
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
