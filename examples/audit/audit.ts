import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Engine, Observed } from '@trotline/engine';

/** Writes what happened to tools on a line to a file, one JSON object a line. It stands in nobody's way: it is told afterwards. */
export function auditTo(line: Pick<Engine, 'observe'>, file: string) {
  const out = createWriteStream(file, { flags: 'a', mode: 0o600 });
  const observer = line.observe(
    async (seen) => {
      // While the disk is slow the line goes on; what no longer fits the queue is lost, and counted.
      if (!out.write(`${JSON.stringify(rowOf(seen))}\n`)) await once(out, 'drain');
    },
    { pattern: 'tool.*', queue: 10_000 },
  );
  return {
    get lost() {
      return observer.dropped;
    },
    /** Call it after `line.close()`, which waits until every observer was told. */
    close: async (): Promise<void> => {
      observer();
      out.end();
      await finished(out);
    },
  };
}

function rowOf(seen: Observed): object {
  if (seen.kind === 'notice')
    return { at: new Date(seen.notice.at).toISOString(), what: seen.notice.name, ...seen.notice.data };
  const hooks = seen.trace
    .filter(({ plugin }) => plugin !== 'engine')
    .map(({ plugin, hook, outcome, reason, ms }) => ({ plugin, hook, outcome, reason, ms: Math.round(ms) }));
  return { at: new Date().toISOString(), what: seen.event, hooks };
}
