export { openLine } from './open.ts';
export type { Register } from './stage.ts';
export type * from './types.ts';
