import { field, isObject, misfit, type Obj, objectField, textField } from './json.ts';

/** What a reply says in either dialect: the published documents', and that of PicoClaw's own releases. */
export interface Decision {
  /** `continue` where none is given. May be one that does not exist. */
  readonly action: string;
  /** Empty where none is given. */
  readonly reason: string;
}

/** The result of a call as an object; absent and null count as empty. */
export function replyOf(result: unknown): Obj {
  if (result === undefined || result === null) return {};
  return isObject(result) ? result : misfit('its answer is not an object');
}

/** Action and reason, under any of their published spellings. */
export function decisionOf(reply: Obj): Decision {
  const given = field(reply, 'decision');
  const nested = isObject(given) ? given : undefined;
  const named = typeof given === 'string' ? given : undefined;
  const action = textField(reply, 'action') || textField(nested, 'action') || named || 'continue';
  return { action, reason: reasonOf(reply, nested) };
}

/** `reason`, `decision.reason`, `message`, `decision.message`. */
export function reasonOf(reply: Obj, nested: Obj | undefined = undefined): string {
  return (
    textField(reply, 'reason') ||
    textField(nested, 'reason') ||
    textField(reply, 'message') ||
    textField(nested, 'message') ||
    ''
  );
}

/** The verdict of an approver. `hint`: it gave none, which is a no, and probably not what was meant. */
export interface Approval {
  readonly approved: boolean;
  readonly reason: string;
  readonly hint?: string;
}

export function approvalOf(reply: Obj): Approval {
  const verdict = textField(reply, 'verdict');
  const votes = [field(reply, 'approved'), field(reply, 'allow')].filter((vote) => vote !== undefined && vote !== null);
  if (votes.some((vote) => typeof vote !== 'boolean')) misfit('"approved" or "allow" is neither true nor false');
  if (verdict !== undefined) votes.push(verdict === 'allow' || verdict === 'always');
  const reason = reasonOf(
    reply,
    objectField({ decision: isObject(reply['decision']) ? reply['decision'] : null }, 'decision'),
  );
  if (votes.length === 0) {
    return { approved: false, reason, hint: 'its answer has neither "approved" nor "allow"' };
  }
  // Both present and different is a no.
  return { approved: votes.every((vote) => vote === true), reason };
}
