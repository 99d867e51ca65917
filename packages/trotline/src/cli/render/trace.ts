import type { Observed, TraceEntry } from '@trotline/engine';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

export type Dispatch = Extract<Observed, { kind: 'dispatch' }>;

/** What a link did, in a word. `passed` is what most do and says the least. */
export function didText({ outcome, code, reason, returned }: TraceEntry): string {
  const denied = denialOf(returned);
  const what = denied === undefined ? outcome : `denied: ${denied}`;
  const because = [code, reason].filter((part) => part !== undefined && part !== '').join(' ');
  return because === '' ? what : `${what} (${because})`;
}

/** The words of a refusal, if a result is one. */
export function denialOf(result: unknown): string | undefined {
  const { deny, decision, reason } = (result ?? {}) as { deny?: unknown; decision?: unknown; reason?: unknown };
  if (typeof deny === 'string') return deny;
  return decision === 'deny' ? String(reason ?? '') : undefined;
}

/** One dispatch as lines: the event, and beneath it each link that did something, outermost first. */
export function traceText({ event, trace, origin }: Dispatch, c: Colors, limit = 160): string {
  const head = `${c.dim('⟜')} ${c.dim(event)}${origin.plugin === 'engine' ? '' : c.dim(` by ${oneLine(origin.plugin, 60)}`)}\n`;
  const entries = [...trace].sort((a, b) => a.index - b.index);
  return (
    head +
    entries
      .map((entry) => {
        const did = oneLine(didText(entry), limit);
        const shown = entry.outcome === 'passed' ? c.dim(did) : denialOf(entry.returned) === undefined ? did : c.red(did);
        return `  ${c.dim(`${entry.index}`)} ${oneLine(entry.plugin, 60)} ${shown} ${c.dim(`${entry.ms.toFixed(1)} ms`)}\n`;
      })
      .join('')
  );
}
