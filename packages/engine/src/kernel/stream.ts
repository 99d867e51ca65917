import type { Dispatch, Run } from './run.ts';
export function streamStep(_d: Dispatch, _at: number, _e: unknown, _parent: Run | undefined): unknown {
  throw new Error('to come');
}
