import type { Engine, Observer } from '@trotline/engine';
import type { Peer } from '../../supervise/process/index.ts';
import { type EventScope, eventParams, methodsFor } from './events.ts';
import type { WireDialect } from './hello.ts';
import { kindOf } from './kinds.ts';
import type { Observing } from './observe.ts';

/** Passes on what a hook observes, as notifications: nobody waits for it. */
export function observeFor(
  engine: Pick<Engine, 'observe'>,
  peer: Pick<Peer, 'notify'>,
  observing: Observing,
  dialect: () => WireDialect,
): Observer | undefined {
  if (observing.kinds.length === 0) return undefined;
  const wanted = new Set(observing.kinds);
  return engine.observe((seen) => {
    if (seen.kind !== 'notice') return;
    const { name, data, at } = seen.notice;
    const known = kindOf(name);
    if (known === undefined || !wanted.has(known.kind)) return;
    const params = eventParams(known.kind, known.payload(data), data as EventScope, at);
    for (const method of methodsFor(dialect(), observing.legacyOnly)) peer.notify(method, params);
  });
}
