import { picoclawEventAliases } from '../../config/index.ts';
import type { WireDialect } from './hello.ts';
import type { Obj } from './json.ts';

type Payload = (data: Obj) => Obj;

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const nanoseconds = (ms: unknown): number => Math.round(number(ms) * 1e6);

/** Which of PicoClaw's kinds a notice of ours is, and what it carries there. */
export const kindsOfNotices: Readonly<Record<string, { readonly kind: string; readonly payload: Payload }>> = {
  'tool.started': {
    kind: 'agent.tool.exec_start',
    payload: ({ tool, input, toolUseId }) => ({ Tool: tool, Arguments: input ?? null, ToolCallID: toolUseId }),
  },
  'tool.ended': {
    kind: 'agent.tool.exec_end',
    payload: ({ tool, durationMs, isError, resultLength, toolUseId }) => ({
      Tool: tool,
      Duration: nanoseconds(durationMs),
      ForLLMLen: number(resultLength),
      ForUserLen: 0,
      IsError: isError === true,
      Async: false,
      ToolCallID: toolUseId,
    }),
  },
  'tool.skipped': {
    kind: 'agent.tool.exec_skipped',
    payload: ({ tool, reason, toolUseId }) => ({ Tool: tool, Reason: reason, ToolCallID: toolUseId }),
  },
  'llm.started': {
    kind: 'agent.llm.request',
    payload: ({ model, messageCount, toolCount, maxTokens, temperature }) => ({
      Model: model,
      MessagesCount: number(messageCount),
      ToolsCount: number(toolCount),
      MaxTokens: number(maxTokens),
      Temperature: number(temperature),
    }),
  },
  'llm.ended': {
    kind: 'agent.llm.response',
    payload: ({ contentLength, toolCalls, hasReasoning }) => ({
      ContentLen: number(contentLength),
      ToolCalls: number(toolCalls),
      HasReasoning: hasReasoning === true,
    }),
  },
  'llm.retried': {
    kind: 'agent.llm.retry',
    payload: ({ attempt, maxRetries, reason, error, backoffMs }) => ({
      Attempt: number(attempt),
      MaxRetries: number(maxRetries),
      Reason: reason,
      Error: text(error),
      Backoff: nanoseconds(backoffMs),
    }),
  },
  'context.compacted': {
    kind: 'agent.context.compress',
    payload: ({ reason, droppedMessages, remainingMessages }) => ({
      Reason: reason,
      DroppedMessages: number(droppedMessages),
      RemainingMessages: number(remainingMessages),
    }),
  },
  'steering.injected': {
    kind: 'agent.steering.injected',
    payload: ({ count, totalContentLength }) => ({ Count: number(count), TotalContentLen: number(totalContentLength) }),
  },
  'interrupt.received': {
    kind: 'agent.interrupt.received',
    payload: ({ kind, contentLength, queueDepth }) => ({
      Kind: kind,
      Role: kind === 'steering' ? 'user' : '',
      ContentLen: number(contentLength),
      QueueDepth: number(queueDepth),
      HintLen: 0,
    }),
  },
  'agent.started': {
    kind: 'agent.subturn.spawn',
    payload: ({ agentId, turnId }) => ({ AgentID: agentId, Label: agentId, ParentTurnID: text(turnId) }),
  },
  'agent.ended': {
    kind: 'agent.subturn.end',
    payload: ({ agentId, status }) => ({ AgentID: agentId, Status: status }),
  },
  'mcp.connecting': { kind: 'mcp.server.connecting', payload: ({ server, command }) => ({ server, command }) },
  'mcp.connected': {
    kind: 'mcp.server.connected',
    payload: ({ server, toolCount }) => ({ server, tool_count: number(toolCount) }),
  },
  'mcp.failed': { kind: 'mcp.server.failed', payload: ({ server, error }) => ({ server, error }) },
};

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
