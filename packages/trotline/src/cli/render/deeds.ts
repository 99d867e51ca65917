import { isDeepStrictEqual } from 'node:util';
import type { TraceEntry } from '@trotline/engine';

/** What a link did in one dispatch, seen from outside: by what it got and gave, next to the link beneath it. */
export interface Deed {
  readonly entry: TraceEntry;
  readonly kind: 'passed' | 'rewrote-call' | 'rewrote-result' | 'denied' | 'answered' | 'failed';
  /** For people: a denial's words, a failure's code and cause. */
  readonly detail?: string;
}

/** The words of a refusal, if a result is one. */
export function denialOf(result: unknown): string | undefined {
  const { deny, decision, reason } = (result ?? {}) as { deny?: unknown; decision?: unknown; reason?: unknown };
  if (typeof deny === 'string') return deny;
  return decision === 'deny' ? String(reason ?? '') : undefined;
}

/** What each link of a dispatch did, outermost first. The bottom's own entry is no link and left out. */
export function deedsOf(trace: readonly TraceEntry[]): Deed[] {
  const inward = [...trace].sort((a, b) => a.index - b.index);
  return inward.flatMap((entry, at) => (entry.tier === 'core' ? [] : [deedOf(entry, inward[at + 1])]));
}

function deedOf(entry: TraceEntry, beneath: TraceEntry | undefined): Deed {
  const denial = denialOf(entry.returned);
  if (entry.outcome !== 'returned' && entry.outcome !== 'passed') {
    const detail = [entry.outcome, entry.reason ?? denial, entry.code].filter((part) => part !== undefined).join(' ');
    return { entry, kind: 'failed', detail };
  }
  if (denial !== undefined && denialOf(beneath?.returned) !== denial) return { entry, kind: 'denied', detail: denial };
  if (beneath === undefined) return { entry, kind: 'answered' };
  if (!isDeepStrictEqual(entry.received, beneath.received)) return { entry, kind: 'rewrote-call' };
  // `passed` says so already, and spares the comparison.
  if (entry.outcome !== 'passed' && !isDeepStrictEqual(entry.returned, beneath.returned))
    return { entry, kind: 'rewrote-result' };
  return { entry, kind: 'passed' };
}

const words: Readonly<Record<Deed['kind'], string>> = {
  passed: 'passed it on',
  'rewrote-call': 'rewrote the call',
  'rewrote-result': 'rewrote the result',
  denied: 'denied',
  answered: 'answered itself',
  failed: 'failed',
};

/** A deed in a few words. */
export const deedText = ({ kind, detail }: Deed): string =>
  detail === undefined ? words[kind] : `${words[kind]}: ${detail}`;
