import type { ShownChunk } from '../../agent/index.ts';

/** More argument text than is worth remembering for one line on a screen. */
const maxChars = 20_000;
/** Calls of one answer; older ones are forgotten. */
const maxCalls = 200;

/** What the model asked for, by call: a call that did not run is told by what it was about. */
export interface Calls {
  chunk(chunk: ShownChunk): void;
  readonly inputOf: (toolUseId: string) => Readonly<Record<string, unknown>> | undefined;
}

export function createCalls(): Calls {
  const open = new Map<number, { readonly id: string; json: string }>();
  const texts = new Map<string, string>();
  return {
    chunk(chunk) {
      if (chunk.kind === 'tool') open.set(chunk.index, { id: chunk.id, json: '' });
      else if (chunk.kind === 'input') {
        const call = open.get(chunk.index);
        if (call !== undefined && call.json.length < maxChars) call.json += chunk.json;
      } else if (chunk.kind === 'stop' || chunk.kind === 'restart') {
        for (const { id, json } of open.values()) texts.set(id, json);
        open.clear();
        for (const id of [...texts.keys()].slice(0, -maxCalls)) texts.delete(id);
      }
    },
    inputOf(id) {
      try {
        const input: unknown = JSON.parse(texts.get(id) ?? '');
        return input !== null && typeof input === 'object' ? (input as Record<string, unknown>) : undefined;
      } catch {
        return undefined; // Cut off above, or never JSON: it is told without its arguments.
      }
    },
  };
}
