import type { Obj } from './json.ts';

/** `e` of `tool.call`: the arguments stand beside these. */
export interface ToolCallEvent {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string;
  readonly [argument: string]: unknown;
}

export interface Call {
  readonly tool: string;
  readonly input: Obj;
  readonly id: string;
  readonly agentId: string | undefined;
}

/** The call as a process hook is shown it. */
export function callOf({ tool, tool_use_id, agentId, ...input }: ToolCallEvent): Call {
  return { tool, input, id: tool_use_id, agentId };
}

/** The event with another call in it. What is no argument stays as it was. */
export function eventOf(e: ToolCallEvent, tool: string, input: Obj): ToolCallEvent {
  const { tool: _, tool_use_id, agentId } = e;
  return { ...input, tool, tool_use_id, ...(agentId === undefined ? {} : { agentId }) };
}
