import type { Observed } from '@trotline/engine';
import { type Deed, deedsOf } from '../render/deeds.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

/** What one hook saw and did in the whole run. */
export interface HookTotals {
  readonly hook: string;
  readonly saw: number;
  readonly rewroteCalls: number;
  readonly rewroteResults: number;
  readonly denied: readonly string[];
  readonly failed: readonly string[];
  readonly ms: number;
}

/** Counts, from what observers are told, what each hook did at `tool.call`. */
export interface Ledger {
  observed(seen: Observed): void;
  totals(): HookTotals[];
}

export function createLedger(): Ledger {
  const deeds = new Map<string, Deed[]>();
  return {
    observed(seen) {
      if (seen.kind !== 'dispatch' || seen.event !== 'tool.call') return;
      for (const deed of deedsOf(seen.trace)) {
        const name = deed.entry.plugin;
        deeds.set(name, [...(deeds.get(name) ?? []), deed]);
      }
    },
    totals: () => [...deeds].map(([hook, of]) => totalsOf(hook, of)),
  };
}

function totalsOf(hook: string, deeds: readonly Deed[]): HookTotals {
  const of = (kind: Deed['kind']): readonly Deed[] => deeds.filter((deed) => deed.kind === kind);
  return {
    hook,
    saw: deeds.length,
    rewroteCalls: of('rewrote-call').length,
    rewroteResults: of('rewrote-result').length,
    denied: of('denied').map(({ detail }) => detail ?? ''),
    failed: of('failed').map(({ detail }) => detail ?? ''),
    ms: deeds.reduce((sum, { entry }) => sum + entry.ms, 0),
  };
}

/** The totals as a table for people. */
export function totalsText(totals: readonly HookTotals[], c: Colors): string {
  const rows = totals.map((of) => {
    const did = [
      of.rewroteCalls > 0 ? `rewrote ${times(of.rewroteCalls, 'call')}` : '',
      of.rewroteResults > 0 ? `rewrote ${times(of.rewroteResults, 'result')}` : '',
      ...of.denied.map((reason) => c.red(`denied one: ${oneLine(reason, 60)}`)),
      ...of.failed.map((reason) => c.red(`failed: ${oneLine(reason, 60)}`)),
    ].filter((part) => part !== '');
    return [
      c.bold(oneLine(of.hook, 30)),
      times(of.saw, 'call'),
      `${of.ms.toFixed(1)} ms`,
      did.join(', ') || 'let all pass',
    ];
  });
  return table([['hook', 'saw', 'own time', 'did'].map(c.dim), ...rows], '  ');
}

const times = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
