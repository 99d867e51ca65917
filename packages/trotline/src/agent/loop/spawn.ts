import type { EventMap } from '@trotline/engine';
import { z } from 'zod';
import { defineTool } from '../tools/define.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/types.ts';
import type { Loop } from './context.ts';
import { isOffered } from './kinds.ts';
import { notify, raise } from './raise.ts';
import { childLoop, type MakeTools, newAgentId, runSubagent, type Wanted } from './subagent.ts';
import type { SubagentType } from './types.ts';

/** A subagent's subagent may start one more, and that is all. */
const maxDepth = 3;

const defaultKind = 'general-purpose';

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

/** How the subagents of a loop get their tools. `offered` are the kinds they may start themselves. */
export const makeTools =
  (offered: ReadonlyMap<string, SubagentType>): MakeTools =>
  (given, loop, depth) =>
    toolsOf(given, offered, loop, depth);

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
      subagent_type: z.string().optional().describe(`${defaultKind} unless given`),
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

/** What is to be started, and whether the model waits for it. */
interface Announced {
  readonly wanted: Wanted;
  readonly background: boolean;
}

async function spawn(
  parent: Loop,
  offered: ReadonlyMap<string, SubagentType>,
  input: SpawnInput,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { shared } = parent;
  const name = input.subagent_type ?? defaultKind;
  const kind = offered.get(name);
  if (kind !== undefined && !(await isOffered(shared.engine, name, kind))) return failed(noKind(name, offered));
  const announced = await announce(parent, offered, input, context);
  if ('deny' in announced) return failed(announced.deny);
  const { wanted, background } = announced;
  const child = childLoop(parent, makeTools(offered), wanted);
  if (!background) return report(parent, child, wanted, context.signal);
  startSubagent(parent, child, wanted);
  const result = { agentId: wanted.id, resolvedModel: child.model.id };
  return { result, text: `The subagent ${wanted.id} works in the background.` };
}

/** Raises `agent.spawn`. */
async function announce(
  parent: Loop,
  kinds: ReadonlyMap<string, SubagentType>,
  { description, prompt, subagent_type = defaultKind, model }: SpawnInput,
  { signal, toolUseId }: ToolContext,
): Promise<Announced | { readonly deny: string }> {
  let announced: Announced | undefined;
  const answer = await raise(
    parent.shared.engine,
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
      const wanted = wantedOf(e, parent, kinds);
      if ('deny' in wanted) return wanted;
      announced = { wanted, background: e.background };
      return { model: wanted.model ?? parent.model.id, agentId: wanted.id };
    },
    signal,
  );
  if ('deny' in answer) return answer;
  return announced ?? { deny: 'A hook answered in place of the subagent, and none was started.' };
}

/** What a spawn comes to once every hook had its say. */
export function wantedOf(
  e: EventMap['agent.spawn']['e'],
  parent: Loop,
  kinds: ReadonlyMap<string, SubagentType>,
): Wanted | { readonly deny: string } {
  const { prompt, description, subagentType: type, cwd, name } = e;
  const kind = kinds.get(type);
  if (kind === undefined) return { deny: noKind(type, kinds) };
  if (cwd !== undefined && cwd !== parent.shared.cwd) {
    return { deny: `A subagent works where its agent does, in ${parent.shared.cwd}, and not in ${cwd}.` };
  }
  // A fork goes on with its parent's conversation, so it keeps its parent's model.
  const chosen = type === 'fork' ? undefined : (e.model ?? kind.model);
  return {
    id: newAgentId(),
    prompt,
    description,
    type,
    kind,
    ...(chosen === undefined || chosen === 'inherit' ? {} : { model: chosen }),
    ...(parent.agentId === undefined ? {} : { parentId: parent.agentId }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Starts a subagent that nobody waits for; its end is told by `turn.complete` and a notice. */
export function startSubagent(parent: Loop, child: Loop, wanted: Wanted): void {
  parent.shared.background.start(async (signal) => {
    const { hardAbort } = await runSubagent(parent, child, wanted, signal);
    if (hardAbort !== undefined) throw hardAbort;
  });
}

/** Runs a subagent's turn; its answer is the result. */
async function report(parent: Loop, child: Loop, wanted: Wanted, signal: AbortSignal): Promise<ToolOutcome> {
  const { result, hardAbort } = await runSubagent(parent, child, wanted, signal);
  const { status, text, usage, iterations, reason, error, turnId } = result;
  if (hardAbort !== undefined) throw hardAbort;
  const { engine, sessionId } = child.shared;
  if (error?.code === 'agent.script-unmet') parent.shared.fatal = error;
  if (status !== 'completed') return failed(`The subagent ended without a report: ${reason ?? status}`);
  notify(engine, 'agent.delivered', { sessionId, turnId, agentId: wanted.id, length: text.length });
  return {
    result: {
      agentId: wanted.id,
      resolvedModel: child.model.id,
      content: [{ type: 'text', text }],
      usage,
      iterations,
    },
    text: text === '' ? '(the subagent reported nothing)' : text,
  };
}

const noKind = (name: string, kinds: ReadonlyMap<string, SubagentType>): string =>
  `There is no subagent "${name}". Kinds: ${[...kinds.keys()].join(', ')}.`;

const failed = (text: string): ToolOutcome => ({ result: text, text, isError: true });
