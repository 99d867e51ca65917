import { isControl, type ToolAnswer, type ToolOutcome, type ToolRun } from '@trotline/engine';
import type { Message, ToolCall } from '../models/types.ts';
import { shorten } from '../tools/capture.ts';
import { type Loop, scope, type Turn } from './context.ts';
import { notify } from './raise.ts';

/** How a call was answered. After a deny the batch goes on without looking at the inbox. */
interface Answered {
  readonly content: string;
  readonly isError: boolean;
  readonly denied: boolean;
  /** Why a hook wants the turn to end after this call. */
  readonly stop?: string;
}

/** A hook wants the turn to end, now that the call it saw is done. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

const skips = {
  steering: ['Skipped due to queued user message.', 'queued user steering message'],
  graceful: ['Skipped due to graceful interrupt.', 'graceful interrupt requested'],
} as const;

/** Runs the calls of one answer, in order, and keeps a result of each. Throws what ends the turn; results so far are kept. */
export async function runBatch(turn: Turn, calls: readonly ToolCall[]): Promise<void> {
  let rest = calls;
  while (rest.length > 0) {
    if (turn.inbox.graceful()) return skip(turn, rest, 'graceful');
    turn.signal.throwIfAborted();
    const group = rest.slice(0, besideEachOther(turn, rest));
    rest = rest.slice(group.length);
    const answers = await settle(group.map((call) => answer(turn, call)));
    let failure: { readonly error: unknown } | undefined;
    for (const [at, settled] of answers.entries()) {
      const call = group[at] as ToolCall;
      if ('error' in settled) failure ??= settled;
      else await keep(turn, call, settled.value.content, settled.value.isError);
    }
    if (failure !== undefined) throw failure.error;
    const stop = answers.find((settled) => 'value' in settled && settled.value.stop !== undefined);
    if (stop !== undefined && 'value' in stop) throw new Stopped(stop.value.stop);
    const denied = answers.some((settled) => 'value' in settled && settled.value.denied);
    if (!denied && turn.inbox.waiting() > 0) return skip(turn, rest, 'steering');
  }
}

/** How many calls may run side by side: neighbours that only read, where the agent allows it; else one. */
function besideEachOther({ loop }: Turn, calls: readonly ToolCall[]): number {
  if (!loop.shared.parallelTools) return 1;
  const other = calls.findIndex(({ name }) => loop.tools.get(name)?.isReadOnly !== true);
  return Math.max(other === -1 ? calls.length : other, 1);
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** All of them, whatever becomes of each: a call that ran must not lose its result because its neighbour failed. */
function settle<T>(promises: readonly Promise<T>[]): Promise<Settled<T>[]> {
  return Promise.all(
    promises.map((promise) =>
      promise.then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    ),
  );
}

/** A call that never met the line; of those that do, the line itself tells. */
export function skipped(turn: Turn, { name, id }: ToolCall, reason: string): void {
  notify(turn.loop.shared.engine, 'tool.skipped', { ...scope(turn), tool: name, toolUseId: id, reason });
}

async function skip(turn: Turn, calls: readonly ToolCall[], why: keyof typeof skips): Promise<void> {
  const [content, reason] = skips[why];
  for (const call of calls) {
    skipped(turn, call, reason);
    await keep(turn, call, content, true);
  }
}

/** Stores a call's result in the conversation. */
export async function keep(turn: Turn, { id, name }: ToolCall, content: string, isError: boolean): Promise<void> {
  const message: Message = { role: 'tool', toolCallId: id, toolName: name, content, ...(isError && { isError }) };
  await turn.loop.conversation.add(message, 'tool-result');
}

async function answer(turn: Turn, call: ToolCall): Promise<Answered> {
  const { loop, signal } = turn;
  const refuse = (content: string, reason = content): Answered => {
    skipped(turn, call, reason);
    return { content, isError: true, denied: true };
  };
  // Before any hook, so that none can answer for a tool that this loop is not to have.
  if (!loop.isAllowed(call.name)) return refuse(notAllowed(call.name));
  if (call.malformed !== undefined) {
    return refuse(
      `The arguments of ${call.name} are no JSON object: ${shorten(call.malformed, 500)}`,
      'malformed arguments',
    );
  }
  const tool = loop.tools.get(call.name);
  const outcome = await loop.shared.engine.tool(
    {
      tool: call.name,
      input: call.input,
      id: call.id,
      sessionId: loop.shared.sessionId,
      isReadOnly: tool?.isReadOnly === true,
      isRegistered: tool !== undefined,
      signal,
      ...(tool === undefined ? {} : { inputSchema: tool.inputSchema }),
      ...(loop.agentId === undefined ? {} : { agentId: loop.agentId }),
    },
    (run) => runTool(loop, run),
  );
  const isError = outcome.isError === true;
  const stop = outcome.stop === undefined ? {} : { stop: outcome.stop };
  if (outcome.deny !== undefined) return { content: outcome.deny, isError: true, denied: true, ...stop };
  // What was ended half-way has no result worth keeping; what was done has.
  if (signal.aborted && (isError || outcome.aborted === true)) throw signal.reason;
  return { content: shorten(textOf(outcome), loop.shared.maxResultChars), isError, denied: false, ...stop };
}

/** Runs a tool of a loop: the call is final, and the line has let it through. */
export async function runTool(loop: Loop, { tool: name, input, id, signal }: ToolRun): Promise<ToolAnswer> {
  const { cwd, env } = loop.shared;
  const failed = (text: string): ToolAnswer => ({ result: text, text, isError: true });
  if (!loop.isAllowed(name)) return failed(notAllowed(name));
  const tool = loop.tools.get(name);
  if (tool === undefined) return failed(`There is no tool named "${name}".`);
  const misfit = tool.check(input);
  if (misfit !== undefined) return failed(misfit);
  try {
    const agent = loop.agentId === undefined ? {} : { agentId: loop.agentId };
    return await tool.run(input, { cwd, env, signal, toolUseId: id, ...agent });
  } catch (error) {
    if (isControl(error)) throw error;
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function textOf({ text, result, context = [] }: ToolOutcome): string {
  const own = text ?? (typeof result === 'string' ? result : (JSON.stringify(result) ?? ''));
  return [own, ...context].join('\n\n');
}

const notAllowed = (tool: string): string => `Tool "${tool}" is not allowed by the active turn profile.`;
