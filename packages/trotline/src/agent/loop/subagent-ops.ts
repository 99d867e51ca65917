import type { EngineOptions, EventMap } from '@trotline/engine';
import type { Loop } from './context.ts';
import { kindsOf } from './kinds.ts';
import { makeTools, startSubagent, wantedOf } from './spawn.ts';
import { childLoop } from './subagent.ts';
import type { AgentOptions } from './types.ts';

type Ops = NonNullable<EngineOptions['ops']>;

/** `$.agent`: a hook's own subagents run beside the turns, and every kind there is may be asked for. */
export function subagentOps(main: () => Promise<Loop>, { subagents }: AgentOptions): Ops {
  return {
    'agent.list': async () => [...(await main()).shared.agents.values()],
    'agent.spawn': async (e, { origin }) => {
      const parent = await main();
      const kinds = kindsOf(subagents);
      const wanted = wantedOf(e as EventMap['agent.spawn']['e'], parent, kinds);
      if ('deny' in wanted) return wanted;
      const child = childLoop(parent, makeTools(kinds), wanted);
      startSubagent(parent, child, { ...wanted, spawnedBy: origin.plugin });
      return { model: child.model.id, agentId: wanted.id };
    },
  };
}
