import type { Observed } from '@trotline/engine';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { type Deed, deedsOf, deedText } from './deeds.ts';

export type Dispatch = Extract<Observed, { kind: 'dispatch' }>;

/** One dispatch as lines: the event, and beneath it what each link did, outermost first. Empty where no link stood. */
export function traceText({ event, trace, origin }: Dispatch, c: Colors, limit = 160): string {
  const deeds = deedsOf(trace);
  if (deeds.length === 0) return '';
  const by = origin.tier === 'core' ? '' : ` by ${oneLine(origin.plugin, 60)}`;
  return `${c.dim(`⟜ ${event}${by}`)}\n${deeds.map((deed) => deedLine(deed, c, limit)).join('')}`;
}

/** One link's deed as a line. */
export function deedLine(deed: Deed, c: Colors, limit: number): string {
  const { entry, kind } = deed;
  const colour = kind === 'passed' ? c.dim : kind === 'denied' || kind === 'failed' ? c.red : c.cyan;
  const notes = (entry.notes ?? []).map(({ code }) => code).join(' ');
  const told = notes === '' ? '' : c.yellow(` [${notes}]`);
  const name = entry.hook === undefined || entry.hook === entry.plugin ? entry.plugin : `${entry.plugin}/${entry.hook}`;
  return `  ${c.dim(String(entry.index))} ${oneLine(name, 60)} ${colour(oneLine(deedText(deed), limit))}${told} ${c.dim(`${entry.ms.toFixed(1)} ms`)}\n`;
}
