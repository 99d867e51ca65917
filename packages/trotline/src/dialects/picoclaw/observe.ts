import { TrotlineError } from '@trotline/engine';
import { observeAll, picoclawEventAliases, picoclawEventKinds } from '../../config/index.ts';
import type { ProcessSpec } from './types.ts';

const aliases: Readonly<Record<string, string>> = picoclawEventAliases;

/** What a hook's `observe` comes to. */
export interface Observing {
  /** Runtime kinds in the order written; every kind for `*`. */
  readonly kinds: readonly string[];
  /** Only names of before 0.2.9 were used: the mark of a hook that knows nothing newer. */
  readonly legacyOnly: boolean;
}

/** @throws TrotlineError `picoclaw.unsupported-event` for a name that does not exist. */
export function observingOf({ name, observe, place }: ProcessSpec): Observing {
  const kinds: string[] = [];
  for (const written of observe) {
    if (observeAll.includes(written)) return { kinds: picoclawEventKinds, legacyOnly: false };
    const kind = Object.hasOwn(aliases, written) ? aliases[written] : written;
    if (kind === undefined || !picoclawEventKinds.includes(kind)) {
      throw new TrotlineError('picoclaw.unsupported-event', {
        ...place,
        what: `configure process hook "${name}": unsupported observe event "${written}"`,
      });
    }
    kinds.push(kind);
  }
  return { kinds, legacyOnly: observe.length > 0 && observe.every((written) => Object.hasOwn(aliases, written)) };
}
