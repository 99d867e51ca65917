import type { Engine, NoticeMap, Observer } from '@trotline/engine';

/** Which turn a call belongs to. Iterations count from 1; 0 where none is known. */
export interface TurnPlace {
  readonly turnId: string;
  readonly sessionId: string;
  readonly iteration: number;
}

/** As much of an event as tells whose it is: model requests name their turn, tool calls only their agent. */
export interface Placed {
  readonly agentId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly index?: number | undefined;
}

/** What is known of the turns that are under way on a line, which may be those of several sessions. */
export interface TurnTrack {
  of(placed: Placed): TurnPlace;
  close(): void;
}

interface Turn extends TurnPlace {
  readonly agentId: string;
}

const unknown: TurnPlace = { turnId: '', sessionId: '', iteration: 0 };
/** Turns remembered at once. */
const MAX_TURNS = 1000;

/**
 * Follows turns by their notices. A tool call belongs to the latest turn of its agent; where several sessions have an agent of
 * that name at work at once, none is named: a hook that keys by session is better off with no name than with a wrong one.
 */
export function trackTurns(engine: Pick<Engine, 'observe'>): TurnTrack {
  const turns = new Map<string, Turn>();
  const follow = <N extends 'turn.started' | 'llm.started' | 'turn.ended'>(
    name: N,
    seen: (data: NoticeMap[N]) => void,
  ): Observer =>
    engine.observe(
      (one) => {
        if (one.kind === 'notice') seen(one.notice.data as NoticeMap[N]);
      },
      { pattern: name },
    );
  const enter = (
    passes: number,
    { turnId = '', sessionId = '', agentId = '' }: NoticeMap['llm.started'] | NoticeMap['turn.started'],
  ): void => {
    const iteration = (turns.get(turnId)?.iteration ?? 0) + passes;
    turns.delete(turnId);
    turns.set(turnId, { turnId, sessionId, agentId, iteration });
    if (turns.size > MAX_TURNS) turns.delete(turns.keys().next().value!);
  };
  const observers = [
    follow('turn.started', (data) => enter(0, data)),
    follow('llm.started', (data) => enter(1, data)),
    follow('turn.ended', ({ turnId = '' }) => void turns.delete(turnId)),
  ];
  return {
    of: ({ agentId = '', turnId }) => {
      if (turnId !== undefined) return turns.get(turnId) ?? { ...unknown, turnId };
      const own = [...turns.values()].filter((turn) => turn.agentId === agentId);
      const latest = own.at(-1) ?? unknown;
      return own.every((turn) => turn.sessionId === latest.sessionId) ? latest : unknown;
    },
    close: () => {
      for (const remove of observers) remove();
    },
  };
}

export type TracePath =
  | 'turn.llm.request'
  | 'turn.llm.response'
  | 'turn.tool.before'
  | 'turn.tool.approve'
  | 'turn.tool.after'
  | '';

/** What every request carries: which turn it belongs to, and where the person sits. */
export function envelopeOf(track: TurnTrack, placed: Placed, trace: TracePath, dryRun: boolean) {
  const { agentId, index } = placed;
  const turn = track.of(placed);
  return {
    meta: {
      AgentID: agentId ?? 'main',
      TurnID: turn.turnId,
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
