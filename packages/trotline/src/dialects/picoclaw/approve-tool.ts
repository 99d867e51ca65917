import { approvalOf } from './decision.ts';
import { isObject, type Obj } from './json.ts';
import { ask, type LinkContext, type LinkNext, seat } from './link.ts';
import { deniedByApprover } from './texts.ts';
import { spelled } from './tool-event.ts';

interface CheckEvent {
  readonly tool: string;
  readonly input: unknown;
  readonly tool_use_id?: string;
  readonly agentId?: string;
}

/**
 * `approve_tool`: on `tool.check`. A no ends the call; a yes goes on to the next approver, and answers a question that
 * nobody but the permission default had asked. What a rule asks or denies, the engine keeps.
 */
export function seatApproveTool(context: LinkContext): void {
  const { hook } = context;
  seat(
    context,
    'tool.check',
    'approve_tool',
    undefined,
    async (_$: unknown, e: CheckEvent, next: LinkNext) => {
      const { tool, input } = spelled(e.tool, isObject(e.input) ? e.input : {}, next);
      const sent = { tool, name: tool, arguments: input, args: input, tool_call_id: e.tool_use_id ?? '' };
      const { approved, reason, hint } = approvalOf(
        await ask(context, 'approve_tool', { agentId: e.agentId }, sent, next),
      );
      if (!approved) {
        if (hint !== undefined) next.note('picoclaw.no-verdict', hint);
        return { decision: 'deny', reason: deniedByApprover(hook.name, reason === '' ? (hint ?? '') : reason) };
      }
      const beneath = (await next(e)) as Obj;
      return beneath['decision'] === 'ask' ? { decision: 'allow', hook: hook.name } : beneath;
    },
    (failure) => {
      const how = failure.class === 'budget' ? 'timed out' : 'failed';
      return deniedByApprover('', `tool approval hook "${hook.name}" ${how}: ${failure.message}`);
    },
  );
}
