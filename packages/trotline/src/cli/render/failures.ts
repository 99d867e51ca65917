import type { NoticeMap } from '@trotline/engine';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

type HookFailed = NoticeMap['hook.failed'];

/** Tells failures of hooks: each kind of each hook at each event once, and at the end how often it happened again. */
export interface Failures {
  told(failure: HookFailed, room: number): string;
  /** What was left out since the last time. */
  rest(): string;
}

/** What became of the call, by the hook's policy. */
const became: Readonly<Record<string, string>> = {
  open: 'skipped',
  closed: 'failed and refuses',
  ask: 'failed and asks',
};

export function createFailures(c: Colors): Failures {
  const again = new Map<string, number>();
  return {
    told(failure, room) {
      const { event, code, message, onFailure = '' } = failure;
      const key = JSON.stringify([nameOf(failure), event, failure.class ?? code]);
      const before = again.get(key);
      again.set(key, before === undefined ? 0 : before + 1);
      if (before !== undefined) return '';
      const where = event === undefined ? 'failed' : `${oneLine(event, 60)} hook ${became[onFailure] ?? 'failed'}`;
      return `${c.yellow('!')} ${nameOf(failure)}: ${where}: ${oneLine(message, Math.max(room, 300))} ${c.dim(`[${code}]`)}\n`;
    },
    rest() {
      const lines = [...again].flatMap(([key, times]) => {
        again.set(key, 0);
        const [hook, event = ''] = JSON.parse(key) as [string, string | null];
        const at = event === null || event === '' ? '' : ` at ${event}`;
        return times === 0
          ? []
          : [`${c.yellow('!')} ${hook} failed ${times === 1 ? 'once' : `${times} times`} more${at}\n`];
      });
      return lines.join('');
    },
  };
}

const nameOf = ({ owner, hook }: HookFailed): string =>
  oneLine(hook === undefined || hook === owner ? owner : `${owner}/${hook}`, 60);
