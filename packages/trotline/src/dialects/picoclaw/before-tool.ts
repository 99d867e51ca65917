import { decisionOf, replyOf } from './decision.ts';
import { changed, objectField, textField } from './json.ts';
import { ask, type LinkContext, type LinkNext, obey, seat } from './link.ts';
import { deniedByHook } from './texts.ts';
import { eventOf, inputOf, spelled, type ToolCallEvent } from './tool-event.ts';
import { answerOf, toolResultOf } from './tool-result.ts';

/** `before_tool`: the before half on `tool.call`. It may rewrite the call, answer it, deny it, or end the turn. */
export function seatBeforeTool(context: LinkContext): void {
  seat(context, 'tool.call', 'before_tool', 'before', async (_$: unknown, e: ToolCallEvent, next: LinkNext) => {
    const { tool, input } = spelled(e.tool, inputOf(e), next);
    const sent = { tool, name: tool, arguments: input, args: input, tool_call_id: e.tool_use_id };
    const reply = replyOf(await ask(context, 'before_tool', { agentId: e.agentId }, sent, next));
    const decision = decisionOf(reply);
    const call = objectField(reply, 'call');
    switch (obey(context, decision, ['respond', 'deny_tool'], next)) {
      case 'deny_tool':
        return { deny: deniedByHook(decision.reason) };
      case 'respond': {
        const result = toolResultOf(
          objectField(reply, 'result') ?? objectField(reply, 'hook_result') ?? objectField(call, 'hook_result'),
        );
        if (result !== undefined) return answerOf(result, next);
        next.note('picoclaw.respond-without-result', 'the call goes on to the tool');
        return next(e);
      }
      case 'ignored':
        return next(e);
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
