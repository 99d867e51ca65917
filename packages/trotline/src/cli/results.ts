import type { Engine, ToolCall, ToolOutcome } from '@trotline/engine';

/** Told what came of each call of the agent, after its notices were. */
export type ResultListener = (toolUseId: string, outcome: ToolOutcome) => void;

/** The same engine, whose tool calls are told with their results as well: notices say only how long a result is. */
export const withResults = (engine: Engine, told: ResultListener): Engine => ({
  ...engine,
  tool: async (call: ToolCall, run: Parameters<Engine['tool']>[1]) => {
    const outcome = await engine.tool(call, run);
    // Observers are told in turns of their own, and the next call must not be shown before the result of this one.
    await new Promise((resolve) => setImmediate(resolve));
    if (call.id !== undefined) told(call.id, outcome);
    return outcome;
  },
});
