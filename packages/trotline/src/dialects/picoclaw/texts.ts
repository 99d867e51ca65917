/** How denials end: the words that PicoClaw's users and models know, behind the hook's own reason. */
export const deniedByHook = (hook: string, reason: string): string =>
  worded(hook, reason, 'Tool execution denied by hook');
export const deniedByApprover = (hook: string, reason: string): string =>
  worded(hook, reason, 'Tool execution denied by approval hook');

/** The reason of an abort where the hook gave none. */
export const noReason = 'hook requested turn abort';

/** Hosts say whose denial it is; a reason that begins with the name of its hook would say so twice. */
function worded(hook: string, reason: string, text: string): string {
  const own = (reason.startsWith(`${hook}:`) ? reason.slice(hook.length + 1) : reason).trim();
  return own === '' ? text : `${own} (${text})`;
}

/** What the supervisor says of a process, where the sentence names its hook already. */
export const withoutName = (hook: string, what: string): string => what.replaceAll(`process hook "${hook}" `, '');
