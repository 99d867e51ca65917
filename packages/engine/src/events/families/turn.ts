import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { chunksOfResponse, modelChunk } from './chunks.ts';
import { agentId, stopReason, toolUse, usage } from './parts.ts';

const start = defineEvent({
  name: 'turn.start',
  doc: 'A turn begins, before its first model request. Those of subagents carry `agentId`; mods do not see them.',
  place: 'Inside `prompt.submit`, before the first `turn.iteration`.',
  fields: { text: t.string, turnId: t.string, agentId },
  result: t.object({ turnId: t.string }),
  observe: true,
  neutral: ({ turnId }) => ({ turnId }),
});

const effort = t.union(t.oneOf('low', 'medium', 'high', 'xhigh', 'max'), t.string, t.number);

const step = defineEvent({
  name: 'turn.step',
  doc: 'One model request is about to go out. The chunks that leave the outermost hook are shown, recorded and acted on.',
  place: 'After `turn.iteration`. Beneath: `llm.request`, then the model.',
  fields: {
    turnId: t.string,
    index: t.number,
    model: t.write(t.string),
    effort: t.write(t.optional(effort)),
    messageCount: t.number,
    agentId,
  },
  result: t.object({
    turnId: t.string,
    index: t.number,
    answer: t.string,
    toolUses: t.list(toolUse),
    serverToolUses: t.optional(t.list(t.json)),
    stopReason,
    usage: t.nullable(usage),
  }),
  stream: modelChunk,
  chunksOf: ({ answer, toolUses, stopReason, usage }) =>
    chunksOfResponse({
      text: answer,
      toolCalls: toolUses.map(({ name, input }, at) => ({
        id: `hook-${at}`,
        name,
        input: (input ?? {}) as Record<string, unknown>,
      })),
      stopReason,
      usage,
    }),
  subject: 'the model',
});

const complete = defineEvent({
  name: 'turn.complete',
  doc: 'A turn ended, interrupted ones and those of subagents too. A changed `text` is shown beneath the answer.',
  place: 'Last of a turn.',
  fields: {
    answer: t.string,
    durationMs: t.number,
    isAborted: t.boolean,
    turnId: t.string,
    agentId,
    usage: t.optional(t.nullable(usage)),
    reason: t.oneOf('answer', 'aborted', 'refusal', 'error'),
    refusal: t.optional(t.object({ category: t.optional(t.string), explanation: t.optional(t.string) })),
  },
  result: t.object({ text: t.string, usage: t.optional(t.nullable(usage)) }),
  neutral: ({ answer }) => ({ text: answer }),
});

/** Events about turns. */
export const turnEvents = { 'turn.start': start, 'turn.step': step, 'turn.complete': complete } as const;
