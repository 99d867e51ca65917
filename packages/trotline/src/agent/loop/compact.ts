import { isControl } from '@trotline/engine';
import type { Message } from '../models/types.ts';
import type { Turn } from './context.ts';
import { scope } from './context.ts';
import { paired } from './pairs.ts';
import { notify, raise } from './raise.ts';
import { step } from './step.ts';
import { estimateTokens } from './tokens.ts';

export interface CompactRequest {
  readonly trigger: 'manual' | 'auto';
  readonly reason: Reason;
  /** Tokens of the newest messages that are kept as they are. */
  readonly keepTokens: number;
  readonly instructions?: string;
}

export type Compacted = { readonly tokensBefore: number; readonly tokensAfter: number } | { readonly skip: string };

/** `budget`: it grew too long. `limit`: the server said so. `asked`: a person or a hook did. */
type Reason = 'budget' | 'limit' | 'asked';

/** As PicoClaw's events name them; a person's own wish is ours. */
const reasons = { budget: 'proactive_budget', limit: 'llm_retry', asked: 'manual' } as const;

const summaryHead = 'The conversation so far was shortened. What came before, summed up:';
const droppedNote = 'The conversation so far was shortened: what came before was left out.';
const defaultInstructions =
  'Sum up this conversation for yourself, to go on from the summary alone. Keep: what the person asked, word for word ' +
  'where it matters; decisions and their reasons; files looked at and changed, with paths; commands and what came of ' +
  'them; what failed or was denied; what is left to do. Write the summary and nothing else.';

/**
 * Shortens the conversation: what is older becomes a summary, the newest messages stay. A tool call never loses its
 * result. Where no summary can be had, the older part is left out, and the model is told.
 */
export async function compact(turn: Turn, request: CompactRequest): Promise<Compacted> {
  const { loop } = turn;
  const { engine } = loop.shared;
  const before = paired(loop.conversation.messages());
  const e = {
    trigger: request.trigger,
    messages: before.map(toShown),
    ...(loop.agentId === undefined ? {} : { agentId: loop.agentId }),
    ...(request.instructions === undefined ? {} : { instructions: request.instructions }),
  };
  const shorten = (final: Asked): Promise<Answer> => shortened(turn, final, before, request.keepTokens);
  const answer = await raise(engine, 'session.compact', e, shorten, turn.signal);
  return 'skip' in answer ? answer : take(turn, before, answer.messages, request.reason);
}

/** What a hook's own `$.session.compact` comes to: its event was raised already, and named no messages. */
export async function compactBeneath(turn: Turn, instructions: string | undefined): Promise<Answer> {
  const before = paired(turn.loop.conversation.messages());
  const keepTokens = Math.floor(estimateTokens(before) / 4);
  const answer = await shortened(turn, { messages: before.map(toShown), instructions }, before, keepTokens);
  if ('skip' in answer) return answer;
  const taken = await take(turn, before, answer.messages, 'asked');
  return 'skip' in taken ? taken : { ...answer, ...taken };
}

interface Asked {
  readonly messages: readonly unknown[];
  readonly instructions?: string | undefined;
}
type Answer = { readonly messages: readonly Shown[]; readonly tokensBefore?: number } | { readonly skip: string };

async function shortened(turn: Turn, asked: Asked, before: readonly Message[], keepTokens: number): Promise<Answer> {
  const messages = fromShown(asked.messages, before);
  const at = cutAt(messages, keepTokens);
  if (at === 0) return { skip: 'there is nothing to shorten' };
  const summary = await summarize(turn, messages.slice(0, at), asked.instructions);
  notify(turn.loop.shared.engine, 'session.summarized', {
    ...scope(turn),
    summarized: at,
    kept: messages.length - at,
    summaryLength: summary.length,
    omitted: summary === droppedNote,
  });
  const result: Message[] = [{ role: 'user', content: summary }, ...messages.slice(at)];
  return { messages: result.map((one) => toShown(one, before.indexOf(one))), tokensBefore: estimateTokens(before) };
}

/** Puts what came of it in place of the conversation. */
async function take(turn: Turn, before: readonly Message[], shown: unknown, why: Reason): Promise<Compacted> {
  const { conversation, shared } = turn.loop;
  const after = paired(fromShown(shown, before));
  if (after.length === 0) return { skip: 'a hook left nothing of the conversation' };
  await conversation.replace(after);
  const [tokensBefore, tokensAfter] = [estimateTokens(before), estimateTokens(conversation.messages())];
  turn.tokens = tokensAfter;
  notify(shared.engine, 'context.compacted', {
    ...scope(turn),
    reason: reasons[why],
    dropped: before.filter((message) => !after.includes(message)).length,
    remaining: after.length,
    tokensBefore,
    tokensAfter,
  });
  return { tokensBefore, tokensAfter };
}

/** The first message to keep: never a tool's result, whose call would be gone. */
function cutAt(messages: readonly Message[], keepTokens: number): number {
  let kept = 0;
  let cut = messages.length;
  for (let at = messages.length - 1; at > 0; at--) {
    kept += estimateTokens(messages.slice(at, at + 1));
    if (kept > keepTokens && cut < messages.length) break;
    if (messages[at]?.role !== 'tool') cut = at;
  }
  return cut === messages.length ? 0 : cut;
}

async function summarize(turn: Turn, older: readonly Message[], instructions = ''): Promise<string> {
  const added = instructions === '' ? '' : `\n\n${instructions}`;
  const ask: Message = { role: 'user', content: `${defaultInstructions}${added}` };
  try {
    const { text } = await step(turn, { messages: [...older, ask], tools: [], quiet: true });
    return text.trim() === '' ? droppedNote : `${summaryHead}\n\n${text}`;
  } catch (error) {
    turn.signal.throwIfAborted();
    if (isControl(error) || (error as { code?: unknown }).code === 'agent.script-unmet') throw error;
    return droppedNote;
  }
}

interface Shown {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolUses: readonly unknown[];
  readonly toolResults?: readonly unknown[];
  readonly handle?: string;
}

/** A message as `session.compact` shows it; the handle is its place in the conversation. */
function toShown(message: Message, place: number): Shown {
  const handle = place < 0 ? {} : { handle: String(place) };
  if (message.role === 'tool') {
    const { toolCallId, content, isError = false } = message;
    return {
      role: 'user',
      text: '',
      toolUses: [],
      toolResults: [{ tool_use_id: toolCallId, content, isError }],
      ...handle,
    };
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    text: message.content,
    toolUses: calls.map(({ id, name, input }) => ({ id, name, input })),
    ...handle,
  };
}

/** Messages from what hooks handed back: by handle the message itself, else a new one of its text. */
function fromShown(shown: unknown, messages: readonly Message[]): readonly Message[] {
  if (!Array.isArray(shown)) return messages;
  return shown.flatMap(({ role, text, handle }: Partial<Shown>): readonly Message[] => {
    const known = typeof handle === 'string' ? messages[Number(handle)] : undefined;
    if (known !== undefined) return [known];
    if (typeof text !== 'string' || text === '') return [];
    return [{ role: role === 'assistant' ? 'assistant' : 'user', content: text }];
  });
}
