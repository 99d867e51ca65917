import { picoclawEventAliases } from '../../config/index.ts';
import type { WireDialect } from './hello.ts';
import type { Obj } from './json.ts';

const legacyNames = new Map(
  Object.entries(picoclawEventAliases).map(([alias, kind], at) => [kind as string, { alias, at }]),
);
let published = 0;

/** Where an event belongs, as far as its data says. */
export interface EventScope {
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly turnId?: string | undefined;
}

/** One event as every known hook reads it: the envelope of today, the documents' words, and those of before 0.2.9. */
export function eventParams(kind: string, payload: Obj, scope: EventScope, at: number): Obj {
  const time = new Date(at).toISOString();
  const agent = scope.agentId ?? 'main';
  const legacy = legacyNames.get(kind);
  const known = Object.entries({ session_key: scope.sessionId, turn_id: scope.turnId });
  published += 1;
  return {
    id: `evt-${published}`,
    kind,
    time,
    source: { component: kind.split('.')[0], ...(kind.startsWith('agent.') ? { name: agent } : {}) },
    scope: {
      agent_id: agent,
      ...Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== '')),
      channel: 'cli',
      chat_id: 'direct',
    },
    correlation: {},
    severity: severityOf(kind, payload),
    payload,
    type: legacy?.alias ?? kind,
    data: { ...payload, ...snakeCased(payload) },
    ...(legacy === undefined
      ? {}
      : {
          Kind: legacy.at,
          Time: time,
          Meta: {
            AgentID: agent,
            TurnID: scope.turnId ?? '',
            ParentTurnID: '',
            SessionKey: scope.sessionId ?? '',
            Iteration: 0,
            TracePath: '',
            Source: 'runTurn',
          },
          Payload: payload,
        }),
  };
}

/** Under which names a hook is sent an event. */
export function methodsFor(dialect: WireDialect, legacyOnly: boolean): readonly string[] {
  if (dialect === 'docs') return ['hook.event'];
  return legacyOnly ? ['hook.runtime_event', 'hook.event'] : ['hook.runtime_event'];
}

function severityOf(kind: string, { Status, IsError }: Obj): string {
  if (kind === 'agent.error' || kind === 'agent.subturn.orphan' || Status === 'error') return 'error';
  if (kind === 'agent.turn.end' && Status === 'aborted') return 'warn';
  if (IsError === true) return 'warn';
  return /\.(retry|compress|exec_skipped)$/.test(kind) ? 'warn' : 'info';
}

function snakeCased(payload: Obj): Obj {
  const snake = (key: string): string =>
    key
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
      .toLowerCase();
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [snake(key), value]));
}
