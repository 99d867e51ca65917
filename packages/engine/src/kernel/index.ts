export { AbortTurn, Control, HardAbort } from './control.ts';
export { freezeCopy } from './freeze.ts';
export { createKernel } from './kernel.ts';
export { covers, fits } from './match.ts';
export { inOrder, tiers } from './order.ts';
export type * from './types.ts';
