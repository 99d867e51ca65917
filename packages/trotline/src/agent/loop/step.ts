import { TrotlineError } from '@trotline/engine';
import type { Message, ModelResponse, ToolCall, ToolDefinition } from '../models/types.ts';
import { systemText } from './compose.ts';
import { addUsage, noUsage, scope, type Turn } from './context.ts';
import { paired } from './pairs.ts';
import { notify } from './raise.ts';
import { readRequest } from './request.ts';

export interface StepRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The answer is for the agent itself: nobody is shown it. */
  readonly quiet?: boolean;
}

/**
 * One model request of a turn. What is acted on is what left the outermost hook. An answer that broke off after a part
 * of it was shown is asked for once more, as a request of its own with all its hooks; none of its tool calls ran.
 */
export async function step(turn: Turn, request: StepRequest): Promise<ModelResponse> {
  try {
    return await sendOnce(turn, request);
  } catch (error) {
    if (!(error instanceof TrotlineError) || error.code !== 'agent.model-cut') throw error;
    turn.signal.throwIfAborted();
    const reason = error.detail.what;
    notify(turn.loop.shared.engine, 'llm.retried', {
      ...scope(turn),
      attempt: 1,
      maxRetries: 1,
      reason: 'network',
      error: reason,
      backoffMs: 0,
    });
    if (request.quiet !== true) turn.onChunk?.({ kind: 'restart', reason });
    return await sendOnce(turn, request);
  }
}

async function sendOnce(turn: Turn, { messages, tools, quiet }: StepRequest): Promise<ModelResponse> {
  const { loop, signal } = turn;
  const onChunk = quiet === true ? undefined : turn.onChunk;
  const { shared, model } = loop;
  const { engine } = shared;
  turn.system ??= await systemText(turn);
  const index = turn.index++;
  const stream = engine.model(
    {
      turnId: turn.turnId,
      index,
      model: model.id,
      messages: [{ role: 'system', content: turn.system }, ...paired(messages)],
      tools,
      options: { ...shared.modelOptions },
      ...(shared.effort === undefined ? {} : { effort: shared.effort }),
      ...(loop.agentId === undefined ? {} : { agentId: loop.agentId }),
      sessionId: shared.sessionId,
      signal,
    },
    async function* send(final, sendSignal) {
      const given = readRequest(final);
      // Hooks may offer tools of their own, but none outside the profile, and none where there are to be none.
      const offered = tools.length === 0 ? [] : given.tools.filter(({ name }) => loop.isAllowed(name));
      const asked = { ...given, tools: offered };
      const target = asked.model === model.id ? model : model.sibling(asked.model);
      return yield* target.stream(asked, {
        signal: sendSignal,
        onRetry: (retry) => notify(engine, 'llm.retried', { ...scope(turn), ...retry }),
      });
    },
  );
  for await (const chunk of stream) if (chunk.kind !== 'engine') onChunk?.(chunk);
  const response: ModelResponse = await stream.result;
  signal.throwIfAborted();
  turn.usage = addUsage(turn.usage, response.usage);
  if (response.usage !== null) {
    const used = addUsage(noUsage, response.usage);
    turn.tokens =
      used.input_tokens + used.output_tokens + used.cache_read_input_tokens + used.cache_creation_input_tokens;
  }
  return { ...response, toolCalls: withOwnIds(response.toolCalls, messages, turn) };
}

/** Some servers, and hooks, number their calls anew in each answer; a result must find its one call. */
function withOwnIds(calls: readonly ToolCall[], messages: readonly Message[], turn: Turn): readonly ToolCall[] {
  const used = new Set(
    messages.flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []).map(({ id }) => id) : [])),
  );
  return calls.map((call, at) => {
    const id = call.id === '' || used.has(call.id) ? `${turn.turnId}-${turn.index}-${at}` : call.id;
    used.add(id);
    return { ...call, id };
  });
}
