import { changed, isObject, misfit, type Obj, objectField } from './json.ts';
import { ask, type LinkContext, type LinkNext, obey, seat } from './link.ts';
import { inputOf, spelled, type ToolCallEvent } from './tool-event.ts';
import { afterResult, noteUnsupported, toolResultOf } from './tool-result.ts';

/** `after_tool`: the after half on `tool.call`. It sees only results that the tool really made, failures included. */
export function seatAfterTool(context: LinkContext): void {
  seat(context, 'tool.call', 'after_tool', 'after', async (_$: unknown, e: ToolCallEvent, next: LinkNext) => {
    const began = performance.now();
    const outcome = await next(e);
    const ms = performance.now() - began;
    if (!isObject(outcome) || 'deny' in outcome) return outcome;
    const { tool, input } = spelled(e.tool, inputOf(e));
    const text = textOf(outcome);
    const result = { for_llm: text, silent: false, is_error: outcome['isError'] === true, async: false };
    const sent = {
      tool,
      name: tool,
      arguments: input,
      args: input,
      result,
      hook_result: result,
      duration: Math.round(ms * 1e6),
      duration_ms: Math.round(ms),
      tool_call_id: e.tool_use_id,
    };
    const reply = await ask(context, 'after_tool', { agentId: e.agentId }, sent, next);
    const { action } = obey(context, 'after_tool', reply, next);
    const replaced = [
      afterResult(reply),
      objectField(reply, 'hook_result'),
      objectField(objectField(reply, 'result'), 'hook_result'),
    ];
    if (action === 'modify' && replaced.every((one) => one === undefined))
      misfit('answered "modify" without a result that can be read');
    const edited = changed<Obj>(
      result,
      'the result',
      replaced.map((one) => merged(result, one)),
    );
    const given = toolResultOf(edited);
    if (given === undefined) return outcome;
    noteUnsupported(given, next);
    const { isError: _, ...rest } = outcome;
    const isError = given.isError === true ? { isError: true } : {};
    // The structured result goes with the text: what a hook struck out must not stay there.
    if (given.forLlm !== undefined && given.forLlm !== text) {
      return { ...rest, result: given.forLlm, text: given.forLlm, ...isError };
    }
    return { ...rest, ...isError };
  });
}

/** Rule M-1: what a reply leaves out is unchanged. */
const merged = (sent: Obj, given: Obj | undefined): Obj | undefined =>
  given === undefined ? undefined : { ...sent, ...given };

function textOf({ text, result }: Obj): string {
  if (typeof text === 'string') return text;
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
