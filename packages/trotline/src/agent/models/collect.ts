import type { Chunk, ModelResponse, StopReason, ToolCall, Usage } from './types.ts';

/** More argument text than any tool takes; a model that streams more is cut off. */
const maxInputChars = 8_000_000;

/** Puts a streamed answer together. What is acted on is what was streamed, so the loop and the models share this. */
export interface Collector {
  add(chunk: Chunk): void;
  readonly response: () => ModelResponse;
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  json: string;
}

/** A fresh collector. Chunks may come in any order of `index`; calls keep the order in which they were opened. */
export function createCollector(): Collector {
  let text = '';
  let reasoning = '';
  let stopReason: StopReason = null;
  let usage: Usage | null = null;
  const calls = new Map<number, OpenCall>();

  return {
    add(chunk) {
      switch (chunk.kind) {
        case 'text':
          text += chunk.text;
          return;
        case 'thinking':
          reasoning += chunk.text;
          return;
        case 'tool':
          calls.set(chunk.index, { id: chunk.id, name: chunk.name, json: '' });
          return;
        case 'input': {
          const call = calls.get(chunk.index);
          if (call !== undefined && call.json.length + chunk.json.length <= maxInputChars) call.json += chunk.json;
          return;
        }
        case 'stop':
          stopReason = chunk.stopReason;
          usage = chunk.usage;
      }
    },
    response: () => ({
      text,
      ...(reasoning === '' ? {} : { reasoning }),
      toolCalls: [...calls.values()].map(({ id, name, json }) => readToolCall(id, name, json)),
      stopReason,
      usage,
    }),
  };
}

/** A tool call from its argument text. Text that is no JSON object makes a `malformed` call, which is answered and never run. */
function readToolCall(id: string, name: string, json: string): ToolCall {
  if (json.trim() === '') return { id, name, input: {} };
  try {
    const input: unknown = JSON.parse(json, withoutProto);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      return { id, name, input: input as Record<string, unknown> };
    }
  } catch {
    // Answered below: the model is told what it sent.
  }
  return { id, name, input: {}, malformed: json };
}

/** JSON.parse makes `__proto__` an own key; a later spread or assignment would turn it into a prototype. */
const withoutProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
