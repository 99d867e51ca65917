export { AbortTurn, Control, HardAbort, isControl, isHardAbort } from './control.ts';
export { HookFailure, KernelError } from './failure.ts';
export { freezeCopy } from './freeze.ts';
export { createKernel } from './kernel.ts';
export { covers, fits } from './match.ts';
export { tiers } from './order.ts';
export type * from './types.ts';
