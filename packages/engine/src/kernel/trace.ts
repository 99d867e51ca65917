import type { Dispatch, Run } from './run.ts';
import type { TraceEntry } from './types.ts';

/** A run as a trace entry. Made when somebody reads it, not before. */
function entryOf(run: Run): TraceEntry {
  const { seat, rare } = run;
  const { failure, notes } = rare ?? {};
  const code = failure?.code ?? rare?.code ?? notes?.[0]?.code;
  const reason = failure?.message ?? rare?.reason ?? notes?.[0]?.reason;
  return Object.freeze({
    index: run.depth,
    plugin: seat?.owner.name ?? 'engine',
    tier: seat?.owner.tier ?? 'core',
    event: run.event,
    outcome: run.outcome as TraceEntry['outcome'],
    ms: run.spent + (rare?.spentBefore ?? 0),
    ...(seat?.name === undefined ? {} : { hook: seat.name }),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(failure === undefined ? {} : { failure: failure.class }),
    ...(notes === undefined ? {} : { notes: Object.freeze([...notes]) }),
    ...(run.d.rules.stream ? { chunks: rare?.chunks ?? 0 } : {}),
    received: run.e,
    returned: run.returned,
  });
}

/** What settled beneath a run on its latest `next` call, nearest link first, the bottom last. */
export function traceBeneath(run: Run): readonly TraceEntry[] {
  const entries: TraceEntry[] = [];
  for (let below = run.child; below !== undefined; below = below.child) {
    if (below.outcome !== undefined) entries.push(entryOf(below));
  }
  return Object.freeze(entries);
}

/** Every run of a dispatch that has settled, in the order they were entered: each one, where a hook called `next` twice. */
export function traceOf(d: Dispatch): readonly TraceEntry[] {
  const entries: TraceEntry[] = [];
  for (let run = d.first; run !== undefined; run = run.entered) {
    if (run.outcome !== undefined) entries.push(entryOf(run));
  }
  return Object.freeze(entries);
}
