import { events } from '../../events/catalogue.ts';
import type { ModelChunk, ModelResponse } from '../../events/families/chunks.ts';
import type { BottomCall, EventRules } from '../../kernel/index.ts';
import { asInvocation, type Core, messageOf } from '../core.ts';
import { withResult } from '../stream.ts';
import type { Engine, ModelRequest } from '../types.ts';
import { gather } from './response.ts';

type Send = Parameters<Engine['model']>[1];
type Chunks<R> = AsyncGenerator<ModelChunk, R, undefined>;
interface StepEvent {
  readonly model: string;
  readonly effort?: string | number;
}
type RequestEvent = StepEvent & Pick<ModelRequest, 'messages' | 'tools' | 'options'>;

const step: EventRules = events['turn.step'];
const llm: EventRules = events['llm.request'];

/** The one way a model is asked: `turn.step`, then `llm.request`, then `send`. */
export function createModel(core: Core): Engine['model'] {
  return (request, send) => withResult(() => shown(core, request, send));
}

/** The chunks that leave the outermost hook, and the answer that they make. */
async function* shown(core: Core, request: ModelRequest, send: Send): Chunks<ModelResponse> {
  const running = core.activity.begin(request.signal);
  const gathering = gather();
  const began = performance.now();
  const { signal } = running;
  const where = {
    turnId: request.turnId,
    ...(request.agentId === undefined ? {} : { agentId: request.agentId }),
    ...(request.sessionId === undefined ? {} : { sessionId: request.sessionId }),
  };
  const told = (error?: string): void => {
    const { text, toolCalls, reasoning, stopReason, usage } = gathering.response();
    core.notice('llm.ended', {
      ...where,
      model: request.model,
      ms: performance.now() - began,
      textLength: text.length,
      toolCalls: toolCalls.length,
      hasReasoning: reasoning !== undefined,
      stopReason,
      usage,
      ...(error === undefined ? {} : { error }),
    });
  };
  try {
    const stream = core.dispatch(step, {
      e: {
        turnId: request.turnId,
        index: request.index,
        model: request.model,
        messageCount: request.messages.length,
        ...(request.effort === undefined ? {} : { effort: request.effort }),
        ...(request.agentId === undefined ? {} : { agentId: request.agentId }),
      },
      owned: true,
      cause: asInvocation(request.cause),
      signal,
      bottom: (e: StepEvent, call: BottomCall) => oneStep(core, request, send, e, call.signal),
    }) as Chunks<unknown>;
    for await (const chunk of stream) {
      gathering.add(chunk);
      yield chunk;
    }
    told();
    return gathering.response();
  } catch (error) {
    told(messageOf(error));
    throw error;
  } finally {
    running.end();
  }
}

/** Beneath `turn.step`: the whole request. What a hook changed above goes with it. */
async function* oneStep(
  core: Core,
  request: ModelRequest,
  send: Send,
  e: StepEvent,
  signal: AbortSignal,
): Chunks<unknown> {
  const { turnId, index, agentId } = request;
  const stream = core.dispatch(llm, {
    e: {
      turnId,
      index,
      model: e.model,
      messages: request.messages,
      tools: request.tools,
      options: request.options,
      ...(e.effort === undefined ? {} : { effort: e.effort }),
      ...(agentId === undefined ? {} : { agentId }),
    },
    cause: asInvocation(request.cause),
    signal,
    bottom: (final: RequestEvent, call: BottomCall) => sent(core, request, send, final, call.signal),
  }) as Chunks<ModelResponse>;
  const response = yield* stream;
  return {
    turnId,
    index,
    answer: response.text,
    toolUses: response.toolCalls.map(({ name, input }) => ({ name, input })),
    stopReason: response.stopReason,
    usage: response.usage,
  };
}

async function* sent(
  core: Core,
  request: ModelRequest,
  send: Send,
  e: RequestEvent,
  signal: AbortSignal,
): Chunks<ModelResponse> {
  const { effort: _, signal: __, ...rest } = request;
  const final: ModelRequest = {
    ...rest,
    model: e.model,
    messages: e.messages,
    tools: e.tools,
    options: e.options,
    signal,
    ...(e.effort === undefined ? {} : { effort: e.effort }),
  };
  const { max_tokens, temperature } = e.options as { readonly max_tokens?: number; readonly temperature?: number };
  core.notice('llm.started', {
    turnId: request.turnId,
    ...(request.agentId === undefined ? {} : { agentId: request.agentId }),
    ...(request.sessionId === undefined ? {} : { sessionId: request.sessionId }),
    model: e.model,
    messages: e.messages.length,
    tools: e.tools.length,
    ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
  });
  return yield* send(final, signal);
}
