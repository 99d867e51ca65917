import type { createAnthropic } from '@ai-sdk/anthropic';
import { createCollector } from './collect.ts';
import type { Chunk, Message, ModelRequest, ModelResponse, StopReason, Usage } from './types.ts';

/** A model of the AI SDK, as every provider package of it makes one. */
export type ProviderModel = ReturnType<ReturnType<typeof createAnthropic>>;
type CallOptions = Parameters<ProviderModel['doStream']>[0];
type Prompt = CallOptions['prompt'];
type Part = Awaited<ReturnType<ProviderModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;
type Finish = Extract<Part, { type: 'finish' }>;

/** The stream ended, or broke, before the answer was complete. */
export class CutStream extends Error {
  override readonly name = 'CutStream';
}

/** Anthropic keeps what is marked so that the next request of the conversation is cheap; other providers ignore it. */
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Asks once. We use the provider interface beneath `streamText`: its retries, its tool loop and its warnings on the
 * console would each come on top of ours. Throws what the provider throws, or `CutStream`.
 */
export async function* askProvider(
  model: ProviderModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Chunk, ModelResponse> {
  const { stream } = await model.doStream(callOptions(request, signal));
  const collector = createCollector();
  const indexes = new Map<string, number>();
  const indexOf = (id: string): number => {
    const known = indexes.get(id);
    if (known !== undefined) return known;
    indexes.set(id, indexes.size);
    return indexes.size - 1;
  };
  let finished = false;
  for await (const part of readParts(stream)) {
    const chunks = chunksOf(part, indexOf, indexes);
    for (const chunk of chunks) {
      collector.add(chunk);
      yield chunk;
      finished ||= chunk.kind === 'stop';
    }
  }
  if (!finished) throw new CutStream('the stream ended before the answer was complete');
  return collector.response();
}

function chunksOf(part: Part, indexOf: (id: string) => number, known: ReadonlyMap<string, number>): readonly Chunk[] {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? [] : [{ kind: 'text', index: indexOf(`text ${part.id}`), text: part.delta }];
    case 'reasoning-delta':
      return part.delta === '' ? [] : [{ kind: 'thinking', index: indexOf(`reasoning ${part.id}`), text: part.delta }];
    case 'tool-input-start':
      return [{ kind: 'tool', index: indexOf(`call ${part.id}`), id: part.id, name: part.toolName }];
    case 'tool-input-delta':
      return [{ kind: 'input', index: indexOf(`call ${part.id}`), json: part.delta }];
    case 'tool-call': {
      // Its input was streamed already, unless the provider sends calls whole.
      if (known.has(`call ${part.toolCallId}`)) return [];
      const index = indexOf(`call ${part.toolCallId}`);
      return [
        { kind: 'tool', index, id: part.toolCallId, name: part.toolName },
        { kind: 'input', index, json: part.input },
      ];
    }
    case 'finish':
      // A provider that saw no reason to stop makes one up when the connection closes early.
      if (part.finishReason.raw === undefined) return [];
      return [{ kind: 'stop', stopReason: stopReason(part.finishReason), usage: usage(part.usage) }];
    case 'error':
      throw endedEarly(part.error) ? new CutStream(part.error.message) : part.error;
    default:
      return [];
  }
}

/** How the provider reports a connection that was closed properly, but too early. */
const endedEarly = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'AI_InvalidResponseDataError' && error.message.includes('finish reason');

async function* readParts(stream: ReadableStream<Part>): AsyncGenerator<Part> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // An early leave must close the connection; one that is closed already may say so.
    reader.cancel().catch(() => {});
  }
}

function callOptions({ messages, tools, options, effort }: ModelRequest, abortSignal: AbortSignal): CallOptions {
  const { max_tokens, temperature, stop } = options;
  return {
    prompt: promptOf(messages),
    abortSignal,
    ...(max_tokens === undefined ? {} : { maxOutputTokens: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: inputSchema as never,
          })),
        }),
    ...(typeof effort === 'string'
      ? { providerOptions: { anthropic: { effort }, compatible: { reasoningEffort: effort } } }
      : {}),
  };
}

/** Our messages as the SDK takes them: one system message in front, tool results of one batch together. */
function promptOf(messages: readonly Message[]): Prompt {
  const prompt: Prompt = [];
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  if (system.length > 0) prompt.push({ role: 'system', content: system.join('\n\n'), providerOptions: cached });
  for (const message of messages) {
    const last = prompt.at(-1);
    switch (message.role) {
      case 'system':
        break;
      case 'user':
        prompt.push({ role: 'user', content: [{ type: 'text', text: message.content }] });
        break;
      case 'assistant': {
        const text = message.content === '' ? [] : [{ type: 'text' as const, text: message.content }];
        const calls = (message.toolCalls ?? []).map(({ id, name, input }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input,
        }));
        // An answer of nothing is refused by servers, and says nothing.
        if (text.length + calls.length > 0) prompt.push({ role: 'assistant', content: [...text, ...calls] });
        break;
      }
      case 'tool': {
        const result = {
          type: 'tool-result' as const,
          toolCallId: message.toolCallId,
          toolName: message.toolName,
          output: {
            type: message.isError === true ? ('error-text' as const) : ('text' as const),
            value: message.content,
          },
        };
        if (last?.role === 'tool') last.content.push(result);
        else prompt.push({ role: 'tool', content: [result] });
      }
    }
  }
  const final = prompt.at(-1);
  if (final !== undefined && final.role !== 'system') final.providerOptions = cached;
  return prompt;
}

function stopReason({ unified, raw }: Finish['finishReason']): StopReason {
  if (raw === 'model_context_window_exceeded' || raw === 'stop_sequence') return raw;
  switch (unified) {
    case 'tool-calls':
      return 'tool_use';
    case 'length':
      return 'max_tokens';
    case 'content-filter':
      return 'refusal';
    case 'stop':
      return 'end_turn';
    default:
      return null;
  }
}

function usage({ inputTokens, outputTokens }: Finish['usage']): Usage {
  const read = inputTokens.cacheRead ?? 0;
  const written = inputTokens.cacheWrite ?? 0;
  return {
    input_tokens: inputTokens.noCache ?? Math.max((inputTokens.total ?? 0) - read - written, 0),
    output_tokens: outputTokens.total ?? 0,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  };
}
