export { canonicalJson, digestCall } from './canonical.ts';
export { stateDir } from './home.ts';
export { createMask, masked } from './mask.ts';
export { openRecords } from './open.ts';
export { createRecorder } from './recorder.ts';
export type * from './types.ts';
