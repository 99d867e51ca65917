import type { Engine, NoticeMap, TraceEntry } from '@trotline/engine';

/** Which turn a call belongs to. Iterations count from 1; 0 where none is known. */
export interface TurnPlace {
  readonly turnId: string;
  readonly sessionId: string;
  readonly iteration: number;
}

/** As much of an event as tells whose it is: model requests name their turn, tool calls only themselves and their agent. */
export interface Placed {
  readonly agentId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly index?: number | undefined;
  readonly callId?: string | undefined;
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
/** Turns, and calls, remembered at once. */
const MAX_TURNS = 1000;
const MAX_CALLS = 4000;

/**
 * Follows turns by their notices, and calls by the answers of models that asked for them. A call that no answer asked for
 * belongs to the one turn of its agent; where an agent of that name has several at once, to none that can be named.
 */
export function trackTurns(engine: Pick<Engine, 'observe'>): TurnTrack {
  const turns = new Map<string, Turn>();
  const calls = new Map<string, TurnPlace>();
  const seen = (name: 'turn.started' | 'llm.started', data: NoticeMap['llm.started']): void => {
    const { turnId = '', sessionId = '', agentId = '' } = data;
    const iteration = (turns.get(turnId)?.iteration ?? 0) + (name === 'llm.started' ? 1 : 0);
    renew(turns, turnId, { turnId, sessionId, agentId, iteration }, MAX_TURNS);
  };
  const answered = (trace: readonly TraceEntry[]): void => {
    const [outermost] = trace;
    const { turnId = '', index = 0 } = (outermost?.received ?? {}) as Placed;
    const turn = turns.get(turnId);
    const { toolCalls } = (outermost?.returned ?? {}) as { readonly toolCalls?: readonly { readonly id?: string }[] };
    if (turn === undefined || toolCalls === undefined) return;
    const place = { ...turn, iteration: index + 1 };
    for (const { id } of toolCalls) {
      if (id === undefined) continue;
      // Two turns that are under way may name their calls alike.
      const other = calls.get(id)?.turnId;
      const isShared = other !== undefined && other !== turnId && turns.has(other);
      renew(calls, id, isShared ? unknown : place, MAX_CALLS);
    }
  };
  const observers = [
    ...(['turn.started', 'llm.started'] as const).map((name) =>
      engine.observe(
        (one) => {
          if (one.kind === 'notice') seen(name, one.notice.data as NoticeMap['llm.started']);
        },
        { pattern: name },
      ),
    ),
    engine.observe(
      (one) => {
        if (one.kind === 'notice') turns.delete((one.notice.data as NoticeMap['turn.ended']).turnId ?? '');
      },
      { pattern: 'turn.ended' },
    ),
    engine.observe(
      (one) => {
        if (one.kind === 'dispatch') answered(one.trace);
      },
      { pattern: 'llm.request' },
    ),
  ];
  return {
    of: ({ agentId = '', turnId, callId }) => {
      if (turnId !== undefined) return turns.get(turnId) ?? { ...unknown, turnId };
      const known = callId === undefined ? undefined : calls.get(callId);
      if (known !== undefined && (known === unknown || turns.has(known.turnId))) return known;
      const own = [...turns.values()].filter((turn) => turn.agentId === agentId);
      return own.length === 1 ? own[0]! : unknown;
    },
    close: () => {
      for (const remove of observers) remove();
    },
  };
}

/** Sets a key as the newest; the oldest makes room. */
function renew<V>(map: Map<string, V>, key: string, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value!);
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
