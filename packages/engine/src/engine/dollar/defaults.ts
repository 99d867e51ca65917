import { TrotlineError } from '../../events/errors.ts';
import type { OpBottom } from '../types.ts';

const MAX_MS = 2_147_483_647;

/** Waits, unless the signal aborts first. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(Math.max(0, ms), MAX_MS),
    );
    signal.addEventListener('abort', abort, { once: true });
  });
}

const wait: OpBottom = (e, { signal }) => sleep(e['ms'] as number, signal);

/** Values of a session that hooks share. */
export interface State {
  readonly ops: Readonly<Record<string, OpBottom>>;
  /** Unset again: the session ended, was cleared, or went on as another. */
  reset(): void;
}

/** `$.state`, in memory. Its versions count on over a reset, so that a stale one never fits. */
export function createState(): State {
  const values = new Map<string, { readonly value: unknown; readonly version: number }>();
  let version = 0;
  const address = (e: Readonly<Record<string, unknown>>): string =>
    JSON.stringify([e['plugin'], e['key'], e['id'] ?? null]);
  return {
    reset: () => values.clear(),
    ops: {
      'state.get': (e) => values.get(address(e)) ?? { value: undefined, version: 0 },
      'state.set': (e, { origin }) => {
        if (e['plugin'] !== origin.plugin) {
          throw new TrotlineError('engine.state-owner', {
            what: `${origin.plugin} set ${String(e['plugin'])}/${String(e['key'])}`,
          });
        }
        const at = address(e);
        const current = values.get(at)?.version ?? 0;
        const { ifVersion } = e as { readonly ifVersion?: number };
        if (ifVersion !== undefined && ifVersion !== current) return { isSet: false, version: current };
        values.set(at, { value: e['value'], version: ++version });
        return { isSet: true, version };
      },
    },
  };
}

/** The bottoms that need nothing of a host. */
export const clockOps: Readonly<Record<string, OpBottom>> = {
  'clock.now': () => Date.now(),
  'clock.sleep': wait,
  'clock.after': wait,
  'clock.every': wait,
};
