import type { TurnResult } from '../agent/index.ts';
import { exit, exitOf } from './exit.ts';

/** The exit status of a turn that nobody interrupted. */
export function statusOf({ status, error }: TurnResult): number {
  if (status === 'completed') return exit.done;
  return error === undefined ? exit.failed : exitOf(error);
}
