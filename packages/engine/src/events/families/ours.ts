import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { chunksOfResponse, modelChunk, modelResponse } from './chunks.ts';
import { agentId } from './parts.ts';

const request = defineEvent({
  name: 'llm.request',
  doc: 'The whole model request. A generator link passes chunks live; a plain function buffers: its `next` resolves to the whole response, of which nothing was shown.',
  place: 'Inside `turn.step`, innermost before the model.',
  fields: {
    turnId: t.string,
    index: t.number,
    model: t.write(t.string),
    messages: t.write(t.list(t.some)),
    tools: t.write(t.list(t.some)),
    options: t.write(t.data),
    effort: t.write(t.optional(t.union(t.string, t.number))),
    agentId,
  },
  result: modelResponse,
  stream: modelChunk,
  chunksOf: chunksOfResponse,
  world: 'ours',
  subject: 'the model',
});

const iteration = defineEvent({
  name: 'turn.iteration',
  doc: 'The loop begins another pass. `iteration` counts over the life of the session.',
  place: 'Before each `turn.step`.',
  fields: { turnId: t.string, iteration: t.number, agentId },
  result: t.object({ iteration: t.number }),
  observe: true,
  world: 'ours',
  neutral: ({ iteration }) => ({ iteration }),
});

const toolError = defineEvent({
  name: 'tool.error',
  doc: 'A tool failed: it threw, it answered with an error, or its arguments did not fit.',
  place: 'Inside `tool.call`, after the tool and before `classic.PostToolUseFailure`.',
  fields: { tool: t.string, tool_use_id: t.string, input: t.data, error: t.string, agentId },
  result: t.object({ error: t.string }),
  observe: true,
  world: 'ours',
  neutral: ({ error }) => ({ error }),
});

const rollback = defineEvent({
  name: 'session.rollback',
  doc: 'A failed turn was cut from the history.',
  place: 'Before `turn.start` of the next turn.',
  fields: { sessionId: t.string, reason: t.string, rolledBackMessageIndex: t.number },
  result: t.object({ sessionId: t.string }),
  observe: true,
  world: 'ours',
  neutral: ({ sessionId }) => ({ sessionId }),
});

/** Events of our own. A mod may name them; its `*` and `!x` never select them. */
export const ourEvents = {
  'llm.request': request,
  'turn.iteration': iteration,
  'tool.error': toolError,
  'session.rollback': rollback,
} as const;
