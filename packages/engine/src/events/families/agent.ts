import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { deny, origin } from './parts.ts';

const offer = defineEvent({
  name: 'agent.offer',
  doc: 'A kind of subagent is offered to the model, when it is listed and when it is asked for.',
  fields: { agent: t.string, description: t.write(t.string), source: t.write(t.string), provider: origin },
  result: t.object({ isOffered: t.boolean }),
  refusal: () => ({ isOffered: false }),
  refused: (result) => !result.isOffered,
  neutral: () => ({ isOffered: true }),
});

const spawn = defineEvent({
  name: 'agent.spawn',
  doc: 'A subagent is about to start. `model` is the parameter of the call alone.',
  place: 'Inside `tool.call` of `Agent`.',
  fields: {
    tool_use_id: t.string,
    prompt: t.write(t.string),
    description: t.write(t.string),
    subagentType: t.write(t.string),
    provider: origin,
    model: t.write(t.optional(t.string)),
    parentModel: t.string,
    parentAgentId: t.optional(t.string),
    permissionMode: t.optional(t.string),
    background: t.write(t.boolean),
    fork: t.boolean,
    isTeammate: t.optional(t.oneOf(true)),
    workflow: t.optional(t.object({ runId: t.string, agentIndex: t.number })),
    name: t.optional(t.string),
    cwd: t.write(t.optional(t.string)),
  },
  result: t.either(
    t.object({ model: t.string, agentId: t.optional(t.string), teammateId: t.optional(t.string) }),
    deny,
  ),
  refusal: (reason) => ({ deny: reason }),
  subject: 'the subagent',
});

/** Events about subagents. */
export const agentEvents = { 'agent.offer': offer, 'agent.spawn': spawn } as const;
