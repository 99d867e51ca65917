import type { ModelChunk, ModelResponse } from '../../events/families/chunks.ts';

type Call = ModelResponse['toolCalls'][number];

/** Puts a whole answer together from its chunks. */
export interface Gathering {
  add(chunk: ModelChunk): void;
  response(): ModelResponse;
}

/** What leaves the outermost hook is what counts, so the answer that a host acts on is made from it. */
export function gather(): Gathering {
  let text = '';
  let reasoning = '';
  let stop: { readonly stopReason: ModelResponse['stopReason']; readonly usage: ModelResponse['usage'] } | undefined;
  const calls = new Map<number, { readonly id: string; readonly name: string; json: string }>();
  return {
    add: (chunk) => {
      if (chunk.kind === 'text') text += chunk.text;
      else if (chunk.kind === 'thinking') reasoning += chunk.text;
      else if (chunk.kind === 'tool') calls.set(chunk.index, { id: chunk.id, name: chunk.name, json: '' });
      else if (chunk.kind === 'stop') stop = { stopReason: chunk.stopReason, usage: chunk.usage };
      else if (chunk.kind === 'input') {
        const call = calls.get(chunk.index);
        if (call !== undefined) call.json += chunk.json;
      }
    },
    response: () => ({
      text,
      ...(reasoning === '' ? {} : { reasoning }),
      toolCalls: [...calls.values()].map(({ id, name, json }) => callOf(id, name, json)),
      stopReason: stop?.stopReason ?? null,
      usage: stop?.usage ?? null,
    }),
  };
}

function callOf(id: string, name: string, json: string): Call {
  if (json.trim() === '') return { id, name, input: {} };
  try {
    const input: unknown = JSON.parse(json);
    if (input !== null && typeof input === 'object' && !Array.isArray(input)) {
      return { id, name, input: input as Readonly<Record<string, unknown>> };
    }
  } catch {
    // Not whole, or not JSON: the call is answered with an error, never run.
  }
  return { id, name, input: {}, malformed: json };
}
