import { isDeepStrictEqual } from 'node:util';
import type { Observed } from '@trotline/engine';
import { deedsOf } from '../render/deeds.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

type Data = Readonly<Record<string, unknown>>;

/** What hooks made of a call and of its result, as it is after them: what they took away is not shown. Empty for the rest. */
export function changesText(seen: Observed, c: Colors): string {
  if (seen.kind !== 'dispatch' || seen.event !== 'tool.call') return '';
  const inward = [...seen.trace].sort((a, b) => a.index - b.index);
  const lines = deedsOf(seen.trace).flatMap(({ entry, kind }) => {
    const beneath = inward[inward.indexOf(entry) + 1];
    const what =
      kind === 'rewrote-call'
        ? `made it: ${fieldsText(dataOf(entry.received), dataOf(beneath?.received))}`
        : kind === 'rewrote-result'
          ? `let the model read: ${newLine(textOf(beneath?.returned), textOf(entry.returned))}`
          : undefined;
    return what === undefined ? [] : [`  ${c.cyan(`↳ ${oneLine(entry.plugin, 40)}`)} ${oneLine(what, 200)}\n`];
  });
  return lines.join('');
}

const dataOf = (value: unknown): Data => (value !== null && typeof value === 'object' ? (value as Data) : {});

const textOf = (result: unknown): string => String(dataOf(result)['text'] ?? '');

function fieldsText(before: Data, after: Data): string {
  const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
  return changed.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ') || 'without some fields';
}

/** The first line that was not there before. */
function newLine(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  return (
    after
      .split('\n')
      .find((line) => !known.has(line))
      ?.trim() ?? 'less than there was'
  );
}
