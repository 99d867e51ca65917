import type { OpBottom, Origin } from '@trotline/engine';

/** A line that a hook shows to the person. */
export interface Shown {
  readonly by: string;
  readonly kind: 'log' | 'toast' | 'status' | 'notice';
  readonly text: string | undefined;
  /** `debug` lines are for logs alone. */
  readonly to?: 'transcript' | 'debug';
  readonly toolUseId?: string;
}

const LONGEST = 10_000;

/** What hooks say to the person, handed to whoever draws. */
export function uiOps(show: (shown: Shown) => void): Readonly<Record<string, OpBottom>> {
  const line =
    (kind: Shown['kind']): OpBottom =>
    (e, { origin }: { origin: Origin }) => {
      const raw = e['text'];
      show({
        by: origin.plugin,
        kind,
        text: raw === undefined ? undefined : String(raw).slice(0, LONGEST),
        ...(e['to'] === 'debug' ? { to: 'debug' as const } : {}),
        ...(typeof e['tool_use_id'] === 'string' ? { toolUseId: e['tool_use_id'] } : {}),
      });
    };
  return { 'ui.log': line('log'), 'ui.toast': line('toast'), 'ui.status': line('status'), 'ui.notice': line('notice') };
}
