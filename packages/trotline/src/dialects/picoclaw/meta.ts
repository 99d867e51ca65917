import type { Engine, NoticeMap, Observer } from '@trotline/engine';

/** What is known of the turn that a call belongs to; `tool.call` itself carries only the agent. */
export interface TurnTrack {
  of(agentId: string | undefined): { readonly turnId: string; readonly sessionId: string; readonly iteration: number };
  close(): void;
}

/** Follows the notices to know each agent's current turn, session and iteration. */
export function trackTurns(engine: Pick<Engine, 'observe'>): TurnTrack {
  const turns = new Map<string, { turnId: string; sessionId: string; iteration: number }>();
  const unknown = { turnId: '', sessionId: '', iteration: 0 };
  const observer: Observer = engine.observe(
    (seen) => {
      if (seen.kind !== 'notice') return;
      const { turnId = '', sessionId = '', agentId = '' } = seen.notice.data as NoticeMap['llm.started'];
      const before = turns.get(agentId);
      const iteration = before?.turnId === turnId ? before.iteration + 1 : 1;
      turns.delete(agentId);
      turns.set(agentId, { turnId, sessionId, iteration });
      if (turns.size > 1000) turns.delete(turns.keys().next().value!);
    },
    { pattern: 'llm.started' },
  );
  return { of: (agentId) => turns.get(agentId ?? '') ?? unknown, close: observer };
}

export type TracePath =
  | 'turn.llm.request'
  | 'turn.llm.response'
  | 'turn.tool.before'
  | 'turn.tool.approve'
  | 'turn.tool.after'
  | '';

/** What every request carries: which turn it belongs to, and where the person sits. */
export function envelopeOf(track: TurnTrack, agentId: string | undefined, trace: TracePath, dryRun: boolean) {
  const turn = track.of(agentId);
  return {
    meta: {
      AgentID: agentId ?? 'main',
      TurnID: turn.turnId,
      ParentTurnID: '',
      SessionKey: turn.sessionId,
      Iteration: turn.iteration,
      TracePath: trace,
      Source: 'runTurn',
    },
    context: { inbound: inbound },
    channel: inbound.channel,
    chat_id: inbound.chat_id,
    ...(dryRun ? { dry_run: true } : {}),
  };
}

/** PicoClaw's own names for a conversation on its command line. */
const inbound = { channel: 'cli', chat_id: 'direct', chat_type: 'direct', sender_id: 'user' } as const;
