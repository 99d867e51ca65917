import { TrotlineError } from '@trotline/engine';
import type { Message, ModelResponse } from '../models/types.ts';
import { runBatch } from './batch.ts';
import { compact } from './compact.ts';
import { definitionsOf, scope, type Turn } from './context.ts';
import { windowOf } from './measure.ts';
import { unanswered } from './pairs.ts';
import { notify, raise } from './raise.ts';
import { step } from './step.ts';
import { estimateTokens } from './tokens.ts';

/** Shorten from this part of the context window on, and keep this part of that. */
const compactPart = 0.8;
const keepPart = 0.3;

const closingNote =
  'The person asked you to stop. No tools can be used any more. Say in a few sentences what was done and what is left.';

/** How a turn ended that nothing ended for it. */
export interface Answer {
  readonly response: ModelResponse;
  readonly graceful: boolean;
}

/** Requests and tool calls until the model answers without calling a tool. Throws whatever ends the turn before. */
export async function runLoop(turn: Turn): Promise<Answer> {
  const { loop, inbox, signal } = turn;
  const { shared, conversation } = loop;
  const left = unanswered(conversation.messages());
  if (left.length > 0) await runBatch(turn, left);
  for (;;) {
    signal.throwIfAborted();
    if (shared.fatal !== undefined) throw shared.fatal;
    const graceful = inbox.graceful();
    if (turn.index >= shared.maxIterations && !graceful) {
      throw new TrotlineError('agent.iterations', {
        what: `the turn made ${turn.index} model requests without an end`,
      });
    }
    await deliver(turn);
    shared.iterations++;
    await raise(
      shared.engine,
      'turn.iteration',
      { turnId: turn.turnId, iteration: shared.iterations, ...agentOf(turn) },
      ({ iteration }) => ({ iteration }),
      signal,
    );
    const response = await request(turn, graceful);
    const calls = graceful ? [] : response.toolCalls;
    await conversation.add(
      { role: 'assistant', content: response.text, ...(calls.length > 0 && { toolCalls: calls }) },
      'response',
    );
    if (calls.length > 0) await runBatch(turn, calls);
    else if (graceful || (inbox.waiting() === 0 && !inbox.graceful())) return { response, graceful };
  }
}

/** Puts waiting messages of the person into the conversation. */
async function deliver(turn: Turn): Promise<void> {
  await turn.loop.conversation.settle();
  const texts = turn.inbox.take();
  if (texts.length === 0) return;
  for (const content of texts) await turn.loop.conversation.add({ role: 'user', content }, 'delivery');
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  notify(turn.loop.shared.engine, 'steering.injected', { ...scope(turn), count: texts.length, length });
}

/** One request that fits the context window, shortened before or, where the server says so, after. */
async function request(turn: Turn, graceful: boolean): Promise<ModelResponse> {
  const { loop } = turn;
  const limit = loop.shared.compactAtTokens ?? windowOf(loop.model) * compactPart;
  const tools = graceful ? [] : definitionsOf(loop);
  const closing = graceful ? await closingMessage(turn) : [];
  const asked = (): Parameters<typeof step>[1] => ({ messages: [...loop.conversation.messages(), ...closing], tools });
  if (Math.max(turn.tokens, estimateTokens(loop.conversation.messages())) >= limit) {
    await compact(turn, { trigger: 'auto', reason: 'budget', keepTokens: limit * keepPart });
  }
  for (let room = limit * keepPart; ; room /= 8) {
    try {
      return await step(turn, asked());
    } catch (error) {
      if (!(error instanceof TrotlineError) || error.code !== 'agent.context-full' || room < 16) throw error;
      const compacted = await compact(turn, { trigger: 'auto', reason: 'limit', keepTokens: room });
      if ('skip' in compacted) throw error;
    }
  }
}

/** The agent's own last word in a turn that is to end. */
async function closingMessage(turn: Turn): Promise<readonly Message[]> {
  const e = { type: 'graceful_interrupt', text: closingNote, origin: { kind: 'engine' }, ...agentOf(turn) };
  const { engine } = turn.loop.shared;
  const { text } = await raise(engine, 'prompt.attachment', e, (final) => ({ text: final.text }), turn.signal);
  return text === null ? [] : [{ role: 'user', content: text }];
}

const agentOf = ({ loop }: Turn): { agentId?: string } => (loop.agentId === undefined ? {} : { agentId: loop.agentId });
