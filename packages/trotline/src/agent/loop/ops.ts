import type { EngineOptions } from '@trotline/engine';
import { createCollector } from '../models/collect.ts';
import type { Message, Model } from '../models/types.ts';
import { withBlocks } from './blocks.ts';
import { compactBeneath } from './compact.ts';
import { sectionsOf } from './compose.ts';
import { type Loop, noUsage } from './context.ts';
import { contextUse } from './measure.ts';
import { paired } from './pairs.ts';
import { accepted, enterPrompt } from './prompt.ts';
import { subagentOps } from './subagent-ops.ts';
import type { Turns } from './turns.ts';
import type { Agent, AgentOptions } from './types.ts';

type Ops = NonNullable<EngineOptions['ops']>;
type Data = Readonly<Record<string, unknown>>;

const maxMessages = 4_096;
const maxCompletionTokens = 64_000;

/** What an agent's ops reach beside the agent itself. */
export interface OpsReach {
  readonly main: () => Promise<Loop>;
  readonly turns: Turns;
  readonly options: AgentOptions;
}

/** What of `$` only an agent can answer: its session, its turn, its tools, its model. */
export function agentOps(agent: Agent, { main, turns, options }: OpsReach): Ops {
  const { model } = agent;
  return {
    'session.id': () => agent.sessionId,
    'session.model': () => model.id,
    'session.turns': () => agent.messages.filter(({ role }) => role === 'user').length,
    'session.messages': () => agent.messages.slice(-maxMessages).map((_, at, shown) => toShown(shown, at)),
    'session.usage': () => {
      const context = contextUse(model, agent.messages);
      return { startedAt: agent.startedAt, context, rateLimits: [] };
    },
    'turn.abort': ({ turnId }) => {
      if (agent.runningTurnId !== turnId) throw new Error(`the turn ${String(turnId)} is not running`);
      agent.interrupt('now', 'a hook aborted the turn');
    },
    // A prompt of a hook waits for its turn; whoever submitted it does not, or a hook inside a turn would wait for itself.
    'prompt.submit': (e, { origin }) => {
      const prompt = { text: String(e['text']), context: e['context'] as readonly string[] | undefined };
      turns.later(async () => {
        const own = (await options.ownTurn?.({ text: prompt.text, by: origin.plugin })) ?? {};
        if (own === 'drop') return;
        const { onEnd, ...shown } = own;
        const result = await turns.run(await main(), prompt.text, shown, async (turn) => {
          await enterPrompt(turn, prompt, options.sessions);
          return undefined;
        });
        await onEnd?.(result);
      });
      return accepted(prompt);
    },
    'session.append': async (e) => {
      const { conversation } = await main();
      const blank: Message = { role: 'user', content: '' };
      await conversation.note(withBlocks(blank, e['message']));
      return { message: e['message'], uuid: e['uuid'] };
    },
    'session.compact': async ({ instructions }) => {
      turns.claim();
      return turns.hold(await main(), (turn) =>
        compactBeneath(turn, typeof instructions === 'string' ? instructions : undefined),
      );
    },
    'prompt.compose': async () => ({ sections: await sectionsOf(await main()) }),
    'ui.invalidate': async ({ event }) => {
      // Of what is cached, this alone is rendered again; the descriptions of tools stand for the session.
      if (event !== 'prompt.section') throw new Error(`nothing of ${String(event)} is drawn again here`);
      (await main()).shared.sectionCache.clear();
    },
    ...subagentOps(main, options),
    'tool.list': () =>
      agent.tools.map(({ name, description }) => ({ name, description, mcp: name.startsWith('mcp__') })),
    'model.complete': (e, { signal }) => complete(modelOf(model, e), asked(e), e, signal),
    'model.fork': (e, { signal }) => {
      if (agent.messages.length === 0) return { isAnswered: false, reason: 'nothing-to-fork' };
      return complete(model, [...paired(agent.messages), { role: 'user', content: String(e['prompt']) }], e, signal);
    },
    'model.classify': async (e, { signal }) => {
      const labels = Array.isArray(e['labels']) ? e['labels'].map(String) : [];
      const prompt = `Answer with exactly one of these labels and nothing else: ${labels.join(', ')}\n\n${String(e['text'])}`;
      const answer = await complete(modelOf(model, e['options']), [{ role: 'user', content: prompt }], {}, signal);
      if (!answer.isAnswered) throw new Error(`the model gave no label: ${answer.reason}`);
      const said = answer.text.trim().toLowerCase();
      return labels.find((label) => label.toLowerCase() === said);
    },
  };
}

type Completion =
  | { readonly isAnswered: true; readonly text: string; readonly usage: unknown }
  | { readonly isAnswered: false; readonly reason: string; readonly error?: string; readonly usage: unknown };

/** One request beside the conversation. A provider's failure is an answer, so that a mod can go on without. */
async function complete(model: Model, messages: readonly Message[], e: Data, signal: AbortSignal): Promise<Completion> {
  const { maxTokens, effort, timeoutMs } = e;
  const limit = typeof maxTokens === 'number' ? maxTokens : 1_024;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxCompletionTokens) {
    throw new Error(`maxTokens is ${limit}; it goes from 1 to ${maxCompletionTokens}`);
  }
  const ended = typeof timeoutMs === 'number' ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : signal;
  const options = { max_tokens: limit };
  const request = { model: model.id, messages, tools: [], options, ...(typeof effort === 'string' && { effort }) };
  const collector = createCollector();
  try {
    for await (const chunk of model.stream(request, { signal: ended })) collector.add(chunk);
  } catch (error) {
    if (ended.aborted) return { isAnswered: false, reason: 'aborted', usage: noUsage };
    return { isAnswered: false, reason: 'api-error', error: (error as Error).message, usage: noUsage };
  }
  const { text, usage } = collector.response();
  if (text === '') return { isAnswered: false, reason: 'empty-reply', usage: usage ?? noUsage };
  return { isAnswered: true, text, usage: usage ?? noUsage };
}

function modelOf(own: Model, asked: unknown): Model {
  const name = (asked as { model?: unknown } | undefined)?.model;
  return typeof name === 'string' && name !== 'inherit' ? own.sibling(name) : own;
}

function asked({ prompt, system }: Data): readonly Message[] {
  const user: Message = { role: 'user', content: String(prompt) };
  return typeof system === 'string' ? [{ role: 'system', content: system }, user] : [user];
}

/** A message as `$.session.messages` shows it: a call carries its result once there is one. */
function toShown(messages: readonly Message[], at: number): Data {
  const message = messages[at] as Message;
  if (message.role === 'tool') {
    const { toolCallId, content, isError = false } = message;
    return { role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: toolCallId, text: content, isError }] };
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return {
    role: message.role,
    text: message.content,
    toolUses: calls.map(({ id, name, input }) => {
      const result = messages.find((other) => other.role === 'tool' && other.toolCallId === id);
      const answered =
        result?.role === 'tool' ? { text: result.content, ...(result.isError && { isError: true }) } : {};
      return { tool_use_id: id, tool: name, input, ...answered };
    }),
  };
}
