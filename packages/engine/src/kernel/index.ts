export { AbortTurn, Control, HardAbort } from './control.ts';
export { freezeCopy } from './freeze.ts';
export { createKernel, type DispatchInput, type Invocation, type Kernel, type KernelOptions } from './kernel.ts';
export { covers, fits } from './match.ts';
export { inOrder, type Seated, tiers } from './order.ts';
export type * from './types.ts';
