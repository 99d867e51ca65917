import type { ToolContext } from '../../../src/agent/tools/types.ts';

/** A tool's surroundings in a test. */
export function toolContext(cwd: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { cwd, env: process.env, signal, toolUseId: 'call_1' };
}
