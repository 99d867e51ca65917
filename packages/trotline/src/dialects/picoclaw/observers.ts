import type { Engine, Observer } from '@trotline/engine';
import { type EventScope, eventParams, methodsFor } from './events.ts';
import type { WireDialect } from './hello.ts';
import type { Obj } from './json.ts';
import { kindOf } from './kinds.ts';
import type { LinkContext } from './link.ts';
import type { Observing } from './observe.ts';

interface TurnStart {
  readonly text: string;
  readonly turnId: string;
  readonly agentId?: string;
}
interface TurnComplete {
  readonly answer: string;
  readonly durationMs: number;
  readonly turnId: string;
  readonly agentId?: string;
  readonly reason: 'answer' | 'aborted' | 'refusal' | 'error';
}
type Pass = (e: unknown) => unknown;

/** Passes on what a hook observes, as notifications: nobody waits for it. */
export function observeFor(
  engine: Pick<Engine, 'observe'>,
  { peer, hook, owner, track }: LinkContext,
  observing: Observing,
  dialect: () => WireDialect,
): Observer | undefined {
  if (observing.kinds.length === 0) return undefined;
  const wanted = new Set(observing.kinds);
  const send = (kind: string, payload: Obj, scope: EventScope, at: number): void => {
    if (!wanted.has(kind)) return;
    const params = eventParams(kind, payload, scope, at);
    for (const method of methodsFor(dialect(), observing.legacyOnly)) peer.notify(method, params);
  };
  const options = { name: `${hook.name}.observe`, priority: hook.priority, onFailure: 'open' as const };
  /** Prompts of turns under way, for the event of their end. */
  const prompts = new Map<string, string>();
  const seesTurns = wanted.has('agent.turn.start') || wanted.has('agent.turn.end');
  if (seesTurns) {
    const start = (_$: unknown, e: TurnStart, next: Pass): unknown => {
      prompts.set(e.turnId, e.text);
      if (prompts.size > 100) prompts.delete(prompts.keys().next().value!);
      send('agent.turn.start', { UserMessage: e.text, MediaCount: 0 }, e, Date.now());
      return next(e);
    };
    const complete = (_$: unknown, e: TurnComplete, next: Pass): unknown => {
      const payload = {
        Status: e.reason === 'aborted' || e.reason === 'error' ? e.reason : 'completed',
        Iterations: track.of(e.agentId).iteration,
        Duration: Math.round(e.durationMs * 1e6),
        FinalContentLen: Buffer.byteLength(e.answer),
        UserMessage: prompts.get(e.turnId) ?? '',
        FinalContent: e.answer,
      };
      prompts.delete(e.turnId);
      send('agent.turn.end', payload, { ...e, sessionId: track.of(e.agentId).sessionId }, Date.now());
      return next(e);
    };
    owner.on('turn.start', start as never, options);
    owner.on('turn.complete', complete as never, options);
  }
  return engine.observe((seen) => {
    if (seen.kind !== 'notice') return;
    const { name, data, at } = seen.notice;
    const known = kindOf(name);
    if (known !== undefined) send(known.kind, known.payload(data), data as EventScope, at);
  });
}
