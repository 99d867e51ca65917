import type { EventName } from '@trotline/engine';

/** Every event that an agent raises, itself or through the line's two pipelines. */
export const raised = [
  'session.start',
  'agent.offer',
  'tool.describe',
  'prompt.submit',
  'prompt.context',
  'session.append',
  'turn.start',
  'turn.iteration',
  'session.compact',
  'prompt.section',
  'prompt.compose',
  'prompt.attachment',
  'turn.step',
  'llm.request',
  'tool.call',
  'tool.check',
  'tool.error',
  'agent.spawn',
  'turn.complete',
  'session.measure',
  'session.rollback',
  'session.end',
] as const satisfies readonly EventName[];
