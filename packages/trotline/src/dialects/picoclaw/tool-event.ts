import { spell, unspell } from '@trotline/engine';
import type { Obj } from './json.ts';
import type { LinkNext } from './link.ts';

/** `e` of `tool.call`: the arguments stand beside these. */
export interface ToolCallEvent {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string;
  readonly [argument: string]: unknown;
}

/** A call in PicoClaw's words: `exec` for `Bash`, `read_file` for `Read`. */
export interface Call {
  readonly tool: string;
  readonly input: Obj;
}

/** Spells a call; one that PicoClaw cannot spell is shown whole, under its canonical name, and noted. */
export function spelled(tool: string, input: Obj, next?: LinkNext): Call {
  const call = spell('picoclaw', { tool, input });
  if (call.code !== undefined) next?.note(call.code, `${tool} has no name in PicoClaw with these arguments`);
  return call;
}

/** From PicoClaw's words to ours. `before`: the canonical arguments that had been spelled, where it is the same call. */
export function canonical(tool: string, input: Obj, before?: Obj): Call {
  return unspell('picoclaw', tool, input, before);
}

/** The arguments of a `tool.call`. */
export function inputOf({ tool: _, tool_use_id: __, agentId: ___, ...input }: ToolCallEvent): Obj {
  return input;
}

/** The event with another call in it, given in PicoClaw's words. What is no argument stays as it was. */
export function eventOf(e: ToolCallEvent, tool: string, input: Obj): ToolCallEvent {
  const call = canonical(tool, input, inputOf(e));
  const { tool_use_id, agentId } = e;
  return { ...call.input, tool: call.tool, tool_use_id, ...(agentId === undefined ? {} : { agentId }) };
}
