import type { Infer } from '../shape.ts';
import { t } from '../shape.ts';
import { stopReason, usage } from './parts.ts';

const ref = t.optional(t.json);

const kinds = {
  text: t.object({ kind: t.oneOf('text', 'thinking'), index: t.number, text: t.string, ref }),
  tool: t.object({ kind: t.oneOf('tool'), index: t.number, id: t.string, name: t.string, ref }),
  input: t.object({ kind: t.oneOf('input'), index: t.number, json: t.string, ref }),
  stop: t.object({ kind: t.oneOf('stop'), stopReason, usage: t.nullable(usage), ref }),
  engine: t.object({ kind: t.oneOf('engine'), ref: t.json }),
};
const byKind = new Map<unknown, { misfit(value: unknown, path: string): string | undefined }>([
  ...Object.entries(kinds),
  ['thinking', kinds.text],
]);
const any = t.union(kinds.text, kinds.tool, kinds.input, kinds.stop, kinds.engine);

/** What a model streams. `index` numbers the parts of one answer; an `input` belongs to the `tool` of its index. */
export type ModelChunk = Infer<typeof any>;

export const modelChunk = {
  ...any,
  misfit: (value: unknown, path: string): string | undefined => {
    const kind = byKind.get((value as { kind?: unknown } | null)?.kind);
    return kind === undefined
      ? `${path} has no kind text, thinking, tool, input, stop or engine`
      : kind.misfit(value, path);
  },
};

const call = t.object({
  id: t.string,
  name: t.string,
  input: t.data,
  /** The argument text as it came, where it was no JSON object. */
  malformed: t.optional(t.string),
});

/** The whole answer of a model. */
export const modelResponse = t.object({
  text: t.string,
  reasoning: t.optional(t.string),
  toolCalls: t.list(call),
  stopReason,
  usage: t.nullable(usage),
});
export type ModelResponse = Infer<typeof modelResponse>;

/** The chunks that tell a whole answer. */
export function* chunksOfResponse(response: ModelResponse): Generator<ModelChunk> {
  let index = 0;
  if (response.reasoning !== undefined && response.reasoning !== '') {
    yield { kind: 'thinking', index: index++, text: response.reasoning };
  }
  if (response.text !== '') yield { kind: 'text', index: index++, text: response.text };
  for (const { id, name, input, malformed } of response.toolCalls) {
    yield { kind: 'tool', index, id, name };
    yield { kind: 'input', index: index++, json: malformed ?? JSON.stringify(input) };
  }
  yield { kind: 'stop', stopReason: response.stopReason, usage: response.usage };
}
