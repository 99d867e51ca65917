import { defineEvent } from '../define.ts';
import { reconcileAppend } from '../reconcileAppend.ts';
import { t } from '../shape.ts';
import { agentId, deny, kindOrigin, message, origin, surface, usage } from './parts.ts';

const start = defineEvent({
  name: 'session.start',
  doc: 'A session begins, once for each loaded module and again after its reload; never on a clear.',
  place: 'Before the first prompt; awaited.',
  fields: { cwd: t.string, surface, isInteractive: t.boolean },
  result: t.object({ cwd: t.string }),
  observe: true,
  neutral: ({ cwd }) => ({ cwd }),
});

const end = defineEvent({
  name: 'session.end',
  doc: 'A session ends. All its hooks together have 1.5 s.',
  place: 'Last of a session.',
  fields: {
    reason: t.oneOf('clear', 'resume', 'logout', 'prompt_input_exit', 'other'),
    sessionId: t.string,
    resume: t.optional(t.object({ id: t.string })),
  },
  result: t.object({ sessionId: t.string }),
  observe: true,
  sharedMs: 1_500,
  neutral: ({ sessionId }) => ({ sessionId }),
});

const compact = defineEvent({
  name: 'session.compact',
  doc: 'A conversation is about to be shortened.',
  place: 'Between two turns, or before a `turn.step` that would not fit.',
  fields: {
    trigger: t.oneOf('manual', 'auto', 'plugin', 'precompute'),
    agentId,
    instructions: t.write(t.optional(t.string)),
    messages: t.write(t.list(message)),
  },
  result: t.either(
    t.object({
      messages: t.list(message),
      tokensBefore: t.optional(t.number),
      tokensAfter: t.optional(t.number),
      usage: t.optional(usage),
    }),
    t.object({ skip: t.string }),
  ),
  refusal: (reason) => ({ skip: reason }),
});

const receive = defineEvent({
  name: 'session.receive',
  doc: 'A message arrives from another session, an agent or a notification.',
  fields: {
    origin: t.data,
    text: t.write(t.string),
    event: t.optional(t.data),
    agentId,
  },
  result: t.either(t.object({ text: t.string }), t.object({ consumed: t.string })),
  refusal: (reason) => ({ consumed: reason }),
  neutral: ({ text }) => ({ text }),
});

const send = defineEvent({
  name: 'session.send',
  doc: 'A message is about to leave for another session or agent.',
  fields: { to: t.write(t.string), text: t.write(t.string), origin: kindOrigin, agentId },
  result: t.object({ isDelivered: t.boolean, reason: t.optional(t.string) }),
  refusal: (reason) => ({ isDelivered: false, reason }),
  refused: (result) => !result.isDelivered,
});

const append = defineEvent({
  name: 'session.append',
  doc: 'A row that the conversation keeps, before it is stored. A hook must call `next` and hand on its answer; `deny` holds only at door `note`.',
  place: 'After whatever made the row: a prompt, an answer, a tool result.',
  fields: {
    message: t.write(
      t.object({
        type: t.oneOf('user', 'assistant', 'attachment', 'system'),
        name: t.optional(t.string),
        role: t.optional(t.string),
        isMeta: t.optional(t.boolean),
        content: t.list(t.data),
      }),
    ),
    door: t.oneOf(
      'prompt',
      'command',
      'response',
      'tool-result',
      'tool-message',
      'delivery',
      'attachment',
      'hook-context',
      'note',
      'compaction',
      'notice',
    ),
    origin: t.union(origin, kindOrigin),
    uuid: t.string,
    agentId,
  },
  result: t.either(
    t.object({
      message: t.object({ type: t.string, content: t.list(t.data), name: t.optional(t.string) }),
      uuid: t.string,
    }),
    deny,
  ),
  refusal: (reason) => ({ deny: reason }),
  reconcile: reconcileAppend,
});

const attach = defineEvent({
  name: 'session.attach',
  doc: 'An app connected to the session.',
  fields: { surface, clientId: t.string, viewport: t.optional(t.json) },
  result: t.object({ clientId: t.string }),
  observe: true,
  neutral: ({ clientId }) => ({ clientId }),
});

const detach = defineEvent({
  name: 'session.detach',
  doc: 'An app left the session.',
  fields: { surface, clientId: t.string, reason: t.oneOf('detach', 'end') },
  result: t.object({ clientId: t.string }),
  observe: true,
  neutral: ({ clientId }) => ({ clientId }),
});

const measured = t.list(t.oneOf('context', 'rateLimits', 'cost'));
const measure = defineEvent({
  name: 'session.measure',
  doc: 'What the session uses, after each turn and when a plan limit moved a whole point.',
  place: 'After `turn.complete`.',
  fields: {
    context: t.object({
      tokens: t.optional(t.number),
      window: t.number,
      percent: t.optional(t.number),
      breakdown: t.optional(t.json),
    }),
    rateLimits: t.list(t.object({ kind: t.string, percentUsed: t.number, resetsAt: t.optional(t.json) })),
    cost: t.optional(t.object({ usd: t.number })),
    changed: measured,
  },
  result: t.object({ changed: measured }),
  observe: true,
  neutral: ({ changed }) => ({ changed }),
});

/** Events about sessions. */
export const sessionEvents = {
  'session.start': start,
  'session.end': end,
  'session.compact': compact,
  'session.receive': receive,
  'session.send': send,
  'session.append': append,
  'session.attach': attach,
  'session.detach': detach,
  'session.measure': measure,
} as const;
