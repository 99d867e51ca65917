/** Texts that users and models of PicoClaw see, to the letter. */
export const deniedByHook = (reason: string): string => withReason('Tool execution denied by hook', reason);
export const deniedByApprover = (reason: string): string =>
  withReason('Tool execution denied by approval hook', reason);
export const approverFailed = (hook: string, timedOut: boolean): string =>
  deniedByApprover(`tool approval hook "${hook}" ${timedOut ? 'timed out' : 'failed'}`);

/** The reason of an abort where the hook gave none. */
export const noReason = 'hook requested turn abort';

const withReason = (text: string, reason: string): string => (reason === '' ? text : `${text}: ${reason}`);
