import { changed, misfit, objectField, textField } from './json.ts';
import { ask, type LinkContext, type LinkNext, obey, seat } from './link.ts';
import { deniedByHook } from './texts.ts';
import { eventOf, inputOf, spelled, type ToolCallEvent } from './tool-event.ts';
import { answerOf, toolResultOf } from './tool-result.ts';

/** `before_tool`: the before half on `tool.call`. It may rewrite the call, answer it, deny it, or end the turn. */
export function seatBeforeTool(context: LinkContext): void {
  seat(context, 'tool.call', 'before_tool', 'before', async (_$: unknown, e: ToolCallEvent, next: LinkNext) => {
    const { tool, input } = spelled(e.tool, inputOf(e), next);
    const sent = { tool, name: tool, arguments: input, args: input, tool_call_id: e.tool_use_id };
    const reply = await ask(context, 'before_tool', { agentId: e.agentId }, sent, next);
    const { action, reason } = obey(context, 'before_tool', reply, next);
    const call = objectField(reply, 'call');
    switch (action) {
      case 'deny':
        return { deny: deniedByHook(context.hook.name, reason) };
      case 'respond': {
        const result = toolResultOf(
          objectField(reply, 'result') ?? objectField(reply, 'hook_result') ?? objectField(call, 'hook_result'),
        );
        return result === undefined ? misfit('answered "respond" without a result') : answerOf(result, next);
      }
      default: {
        const newTool = changed(tool, 'the tool', [
          textField(call, 'tool'),
          textField(call, 'name'),
          textField(reply, 'tool'),
          textField(reply, 'name'),
        ]);
        const newInput = changed(input, 'the arguments', [
          objectField(call, 'arguments'),
          objectField(call, 'args'),
          objectField(reply, 'arguments'),
          objectField(reply, 'args'),
        ]);
        if (newTool === undefined && newInput === undefined) return next(e);
        return next(eventOf(e, newTool ?? tool, newInput ?? input));
      }
    }
  });
}
