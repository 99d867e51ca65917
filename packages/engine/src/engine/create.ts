import { events } from '../events/catalogue.ts';
import { createKernel, type EventRules } from '../kernel/index.ts';
import type { Engine, EngineOptions, ToolOutcome } from './types.ts';

const program = { name: 'program', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' } as const;
const hostOrigin = { plugin: 'engine', tier: 'core' } as const;

/** Makes an engine: one line that hooks are seated on. */
export function createEngine(options: EngineOptions = {}): Pick<Engine, 'on' | 'tool'> {
  const kernel = createKernel({ dollar: () => Object.freeze({}) });
  let count = 0;
  const on = (pattern: string, ...rest: unknown[]) => {
    const matcher = typeof rest[0] === 'function' ? undefined : rest.shift();
    const [hook, extra] = rest;
    return kernel.register({
      owner: program,
      pattern,
      hook,
      ...(matcher ? { matcher } : {}),
      ...(extra as object),
    } as never);
  };
  return {
    on: on as Engine['on'],
    tool: async (call, run) => {
      const id = call.id ?? `call-${++count}`;
      const signal = call.signal ?? new AbortController().signal;
      const rules: EventRules = events['tool.call'];
      return (await kernel.dispatch(rules, {
        e: { ...call.input, tool: call.tool, tool_use_id: id },
        origin: hostOrigin,
        signal,
        bottom: async (e: Record<string, unknown>) => {
          const { tool, tool_use_id, agentId: _, ...input } = e;
          const checked = { tool: String(tool), input, id, isReadOnly: call.isReadOnly === true };
          const verdict = options.gate?.rules?.(checked);
          if (verdict?.decision === 'deny') return { deny: verdict.reason ?? 'denied by a rule' };
          const answer = await run({ tool: String(tool), input, id: String(tool_use_id), signal });
          return typeof answer === 'string' ? { result: answer, text: answer } : answer;
        },
      })) as ToolOutcome;
    },
  };
}
