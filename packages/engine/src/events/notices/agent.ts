import { stopReason, usage } from '../families/parts.ts';
import { t } from '../shape.ts';
import { defineNotice } from './define.ts';

const where = { sessionId: t.optional(t.string), turnId: t.optional(t.string), agentId: t.optional(t.string) };
const text = t.optional(t.string);

/** Notices of the agent's loop. */
export const agentNotices = {
  'turn.started': defineNotice('turn.started', 'A turn began.', {
    ...where,
    text: t.string,
    mediaCount: t.optional(t.number),
  }),
  'turn.ended': defineNotice('turn.ended', 'A turn ended.', {
    ...where,
    status: t.oneOf('completed', 'error', 'aborted'),
    iterations: t.number,
    durationMs: t.number,
    text,
    answer: text,
    cwd: text,
    tools: t.optional(t.list(t.object({ name: t.string, success: t.boolean, error: text }))),
  }),
  'llm.started': defineNotice('llm.started', 'A model request is on its way.', {
    ...where,
    model: t.string,
    messages: t.number,
    tools: t.number,
    maxTokens: t.optional(t.number),
    temperature: t.optional(t.number),
  }),
  'llm.delta': defineNotice('llm.delta', 'A part of an answer came.', {
    ...where,
    textLength: t.number,
    thinkingLength: t.number,
  }),
  'llm.ended': defineNotice('llm.ended', 'A model answered, or failed.', {
    ...where,
    model: t.string,
    ms: t.number,
    textLength: t.number,
    toolCalls: t.number,
    hasReasoning: t.boolean,
    stopReason: t.optional(stopReason),
    usage: t.optional(t.nullable(usage)),
    error: text,
  }),
  'llm.retried': defineNotice('llm.retried', 'A model request is made again.', {
    ...where,
    attempt: t.number,
    maxRetries: t.number,
    reason: t.string,
    error: t.string,
    backoffMs: t.number,
  }),
  'context.compacted': defineNotice('context.compacted', 'Messages were dropped so that the conversation fits.', {
    ...where,
    reason: t.string,
    dropped: t.number,
    remaining: t.number,
    tokensBefore: t.optional(t.number),
    tokensAfter: t.optional(t.number),
  }),
  'session.summarized': defineNotice('session.summarized', 'The conversation was summed up.', {
    ...where,
    summarized: t.number,
    kept: t.number,
    summaryLength: t.number,
    omitted: t.optional(t.boolean),
  }),
  'session.failed': defineNotice('session.failed', 'The agent met an error that no hook made.', {
    ...where,
    stage: t.string,
    message: t.string,
  }),
  'steering.injected': defineNotice('steering.injected', 'Messages of the person entered a running turn.', {
    ...where,
    count: t.number,
    length: t.number,
  }),
  'followup.queued': defineNotice('followup.queued', 'A tool queued a message for later.', {
    ...where,
    tool: t.string,
    length: t.number,
  }),
  'interrupt.received': defineNotice('interrupt.received', 'The person interrupted.', {
    ...where,
    kind: t.oneOf('steering', 'graceful', 'hard_abort'),
    role: text,
    length: t.optional(t.number),
    queued: t.optional(t.number),
    hintLength: t.optional(t.number),
  }),
  'agent.started': defineNotice('agent.started', 'A subagent started.', {
    ...where,
    agentId: t.string,
    subagentType: t.optional(t.string),
    description: t.optional(t.string),
    parentTurnId: t.optional(t.string),
  }),
  'agent.ended': defineNotice('agent.ended', 'A subagent ended.', {
    ...where,
    agentId: t.string,
    status: t.oneOf('completed', 'error', 'aborted'),
  }),
  'agent.delivered': defineNotice('agent.delivered', 'The result of a subagent reached its parent.', {
    ...where,
    agentId: t.string,
    length: t.number,
  }),
  'agent.orphaned': defineNotice('agent.orphaned', 'A subagent ended after its parent did.', {
    ...where,
    agentId: t.string,
    parentTurnId: t.string,
    reason: t.string,
  }),
} as const;
