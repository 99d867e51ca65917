import type { Engine } from '@trotline/engine';
import { raise } from './raise.ts';
import type { SubagentType } from './types.ts';

/** Kinds of subagent that are always there. */
const ownSubagents: Readonly<Record<string, SubagentType>> = {
  'general-purpose': { description: 'Works on a task of several steps on its own, and reports.' },
  fork: { description: 'Knows the whole conversation so far; for a side task that needs it.' },
};

/** Every kind there is: the agent's own, and those of the program. */
export const kindsOf = (given: Readonly<Record<string, SubagentType>> | undefined): ReadonlyMap<string, SubagentType> =>
  new Map(Object.entries({ ...ownSubagents, ...given }));

/** Whether hooks let the model have this kind. Asked when the kinds are listed, and again when one is asked for. */
export async function isOffered(engine: Engine, agent: string, { description }: SubagentType): Promise<boolean> {
  const source = Object.hasOwn(ownSubagents, agent) ? 'built-in' : 'program';
  const e = { agent, description, source, provider: { plugin: 'engine', tier: 'core' as const } };
  const answer = await raise(engine, 'agent.offer', e, () => ({ isOffered: true }));
  return answer.isOffered !== false;
}
