import { defineEvent, type EventData, type EventResult } from './define.ts';
import { t } from './shape.ts';

const deny = t.object({ deny: t.string });

const toolCall = defineEvent({
  name: 'tool.call',
  doc: 'A tool is about to run. Its arguments stand beside `tool`.',
  fields: { tool: t.string, tool_use_id: t.string, agentId: t.optional(t.string) },
  open: true,
  result: t.union(
    deny,
    t.object({
      result: t.json,
      text: t.optional(t.string),
      isError: t.optional(t.boolean),
      context: t.optional(t.list(t.string)),
    }),
  ),
  refusal: (reason) => ({ deny: reason }),
});

const toolCheck = defineEvent({
  name: 'tool.check',
  doc: 'The permission decision, after the `tool.call` hooks and the rules.',
  fields: {
    tool: t.string,
    input: t.json,
    tool_use_id: t.optional(t.string),
    agentId: t.optional(t.string),
    ceiling: t.optional(t.oneOf('allow', 'ask', 'deny')),
  },
  result: t.object({
    decision: t.oneOf('allow', 'ask', 'deny'),
    reason: t.optional(t.string),
    rule: t.optional(t.string),
    hook: t.optional(t.string),
  }),
  refusal: (reason) => ({ decision: 'deny' as const, reason }),
});

/** Every event, each once. */
export const events = { 'tool.call': toolCall, 'tool.check': toolCheck } as const;

export type EventName = keyof typeof events;
/** The data of each event. */
export type EventMap = {
  readonly [N in EventName]: {
    readonly e: EventData<(typeof events)[N]>;
    readonly result: EventResult<(typeof events)[N]>;
  };
};
