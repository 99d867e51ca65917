import { defineEvent } from '../define.ts';
import { reconcileToolCall } from '../reconcile.ts';
import { t } from '../shape.ts';
import { agentId, decision, deny, origin, texts } from './parts.ts';

const call = defineEvent({
  name: 'tool.call',
  doc: 'A tool is about to run. Its arguments stand beside `tool`.',
  place:
    'First of all about a tool. Beneath: `classic.PreToolUse`, rules, `tool.check`, the tool, `tool.error`, `classic.PostToolUse`.',
  fields: { tool: t.string, tool_use_id: t.string, agentId },
  open: true,
  result: t.either(
    deny,
    t.object({
      result: t.json,
      text: t.optional(t.string),
      isError: t.optional(t.boolean),
      context: t.optional(texts),
      isReadOnly: t.optional(t.boolean),
      ref: t.optional(t.string),
    }),
  ),
  refusal: (reason) => ({ deny: reason }),
  subject: 'the tool',
  reconcile: reconcileToolCall,
});

const check = defineEvent({
  name: 'tool.check',
  doc: 'The permission decision, on the final arguments. Raised when a hook stands on it, or a verdict is `ask`.',
  place: 'After the `tool.call` hooks, `classic.PreToolUse` and the rules, before a person is asked.',
  fields: {
    tool: t.string,
    input: t.data,
    tool_use_id: t.optional(t.string),
    agentId,
    ceiling: t.optional(decision),
  },
  result: t.object({
    decision,
    reason: t.optional(t.string),
    rule: t.optional(t.string),
    hook: t.optional(t.string),
  }),
  refusal: (reason) => ({ decision: 'deny' as const, reason }),
  refused: (result) => result.decision === 'deny',
  subject: 'the check',
});

const describe = defineEvent({
  name: 'tool.describe',
  doc: 'A tool is described to the model, once until invalidated.',
  place: 'Before the first `turn.step` that offers the tool.',
  fields: {
    tool: t.string,
    description: t.write(t.string),
    isDeferred: t.optional(t.oneOf(true)),
    provider: origin,
  },
  result: t.object({ description: t.string, isDeferred: t.optional(t.boolean) }),
  neutral: ({ description, isDeferred }) => ({ description, ...(isDeferred === true ? { isDeferred } : {}) }),
});

/** Events about tools. */
export const toolEvents = { 'tool.call': call, 'tool.check': check, 'tool.describe': describe } as const;
