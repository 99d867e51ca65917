import type { Engine, NoticeMap, Observer } from '@trotline/engine';

/** Which turn a call belongs to. Iterations count from 1; 0 where none is known. */
export interface TurnPlace {
  readonly turnId: string;
  readonly sessionId: string;
  readonly iteration: number;
}

/** What is known of the turn of each agent; `tool.call` itself carries only the agent. */
export interface TurnTrack {
  of(agentId: string | undefined): TurnPlace;
  close(): void;
}

const unknown: TurnPlace = { turnId: '', sessionId: '', iteration: 0 };
/** Agents remembered at once. */
const MAX_AGENTS = 1000;

/** Follows the notices to know each agent's current turn, session and iteration. */
export function trackTurns(engine: Pick<Engine, 'observe'>): TurnTrack {
  const turns = new Map<string, TurnPlace>();
  const follow = (pattern: 'turn.started' | 'llm.started'): Observer =>
    engine.observe(
      (seen) => {
        if (seen.kind !== 'notice') return;
        const { turnId = '', sessionId = '', agentId = '' } = seen.notice.data as NoticeMap['llm.started'];
        const before = turns.get(agentId);
        const done = before?.turnId === turnId ? before.iteration : 0;
        turns.delete(agentId);
        turns.set(agentId, { turnId, sessionId, iteration: done + (pattern === 'llm.started' ? 1 : 0) });
        if (turns.size > MAX_AGENTS) turns.delete(turns.keys().next().value!);
      },
      { pattern },
    );
  const observers = [follow('turn.started'), follow('llm.started')];
  return {
    of: (agentId) => turns.get(agentId ?? '') ?? unknown,
    close: () => {
      for (const remove of observers) remove();
    },
  };
}

/** As much of an event as tells whose it is; model requests name their turn and their place in it. */
export interface Placed {
  readonly agentId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly index?: number | undefined;
}

export type TracePath =
  | 'turn.llm.request'
  | 'turn.llm.response'
  | 'turn.tool.before'
  | 'turn.tool.approve'
  | 'turn.tool.after'
  | '';

/** What every request carries: which turn it belongs to, and where the person sits. */
export function envelopeOf(track: TurnTrack, { agentId, turnId, index }: Placed, trace: TracePath, dryRun: boolean) {
  const turn = track.of(agentId);
  return {
    meta: {
      AgentID: agentId ?? 'main',
      TurnID: turnId ?? turn.turnId,
      ParentTurnID: '',
      SessionKey: turn.sessionId,
      Iteration: index === undefined ? turn.iteration : index + 1,
      TracePath: trace,
      Source: 'runTurn',
    },
    context: { inbound },
    channel: inbound.channel,
    chat_id: inbound.chat_id,
    ...(dryRun ? { dry_run: true } : {}),
  };
}

/** PicoClaw's own names for a conversation on its command line. */
const inbound = { channel: 'cli', chat_id: 'direct', chat_type: 'direct', sender_id: 'user' } as const;
