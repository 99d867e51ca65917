import type { NoticeMap, NoticeName } from '@trotline/engine';
import type { Obj } from './json.ts';
import { spelled } from './tool-event.ts';

/** One of PicoClaw's runtime kinds: the notice of ours it comes from, and what it carries. */
export interface Kind {
  readonly kind: string;
  readonly payload: (data: Obj) => Obj;
}

const nanoseconds = (ms: number): number => Math.round(ms * 1e6);

/** Typed where it is written, by the notice; what comes in at run time is what the engine let through. */
function kind<N extends NoticeName>(_: N, name: string, payload: (data: NoticeMap[N]) => Obj): Kind {
  return { kind: name, payload: payload as unknown as Kind['payload'] };
}

const channel = ({ type, error }: NoticeMap['channel.started']): Obj => ({
  ...(type === undefined ? {} : { type }),
  ...(error === undefined ? {} : { error }),
});
const outbound = ({ media, length, messageIds, replyTo, error, retries }: NoticeMap['channel.sent']): Obj =>
  defined({
    media,
    content_len: length,
    message_ids: messageIds,
    reply_to_message_id: replyTo,
    error,
    retries,
  });
const timed = ({ ms, error }: NoticeMap['host.ready']): Obj => defined({ duration_ms: ms, error });

/** Payloads of agent kinds have PascalCase keys, the others snake_case: that is how PicoClaw's releases write them. */
const kinds: { readonly [N in NoticeName]?: Kind } = {
  'tool.started': kind('tool.started', 'agent.tool.exec_start', ({ tool, input, toolUseId }) => {
    const call = spelled(tool, input as Obj);
    return { Tool: call.tool, Arguments: call.input, ToolCallID: toolUseId };
  }),
  'tool.ended': kind('tool.ended', 'agent.tool.exec_end', ({ tool, input, ms, isError, textLength, toolUseId }) => ({
    Tool: spelled(tool, input as Obj).tool,
    Duration: nanoseconds(ms),
    ForLLMLen: textLength,
    ForUserLen: 0,
    IsError: isError,
    Async: false,
    ToolCallID: toolUseId,
  })),
  'tool.skipped': kind('tool.skipped', 'agent.tool.exec_skipped', ({ tool, reason, toolUseId }) => ({
    Tool: spelled(tool, {}).tool,
    Reason: reason,
    ToolCallID: toolUseId,
  })),
  'turn.started': kind('turn.started', 'agent.turn.start', ({ text, mediaCount }) => ({
    UserMessage: text,
    MediaCount: mediaCount ?? 0,
  })),
  'turn.ended': kind(
    'turn.ended',
    'agent.turn.end',
    ({ status, iterations, durationMs, text, answer, cwd, tools }) => ({
      Status: status,
      Workspace: cwd ?? '',
      Iterations: iterations,
      Duration: nanoseconds(durationMs),
      FinalContentLen: Buffer.byteLength(answer ?? ''),
      UserMessage: text ?? '',
      FinalContent: answer ?? '',
      ToolKinds: [...new Set((tools ?? []).map(({ name }) => spelled(name, {}).tool))],
      ToolExecutions: (tools ?? []).map(({ name, success, error }) => ({
        name: spelled(name, {}).tool,
        success,
        error_summary: error ?? '',
      })),
    }),
  ),
  'llm.started': kind('llm.started', 'agent.llm.request', ({ model, messages, tools, maxTokens, temperature }) => ({
    Model: model,
    MessagesCount: messages,
    ToolsCount: tools,
    MaxTokens: maxTokens ?? 0,
    Temperature: temperature ?? 0,
  })),
  'llm.ended': kind('llm.ended', 'agent.llm.response', ({ textLength, toolCalls, hasReasoning }) => ({
    ContentLen: textLength,
    ToolCalls: toolCalls,
    HasReasoning: hasReasoning,
  })),
  'llm.retried': kind('llm.retried', 'agent.llm.retry', ({ attempt, maxRetries, reason, error, backoffMs }) => ({
    Attempt: attempt,
    MaxRetries: maxRetries,
    Reason: reason,
    Error: error,
    Backoff: nanoseconds(backoffMs),
  })),
  'context.compacted': kind('context.compacted', 'agent.context.compress', ({ reason, dropped, remaining }) => ({
    Reason: reason,
    DroppedMessages: dropped,
    RemainingMessages: remaining,
  })),
  'session.summarized': kind(
    'session.summarized',
    'agent.session.summarize',
    ({ summarized, kept, summaryLength, omitted }) => ({
      SummarizedMessages: summarized,
      KeptMessages: kept,
      SummaryLen: summaryLength,
      OmittedOversized: omitted ?? false,
    }),
  ),
  'session.failed': kind('session.failed', 'agent.error', ({ stage, message }) => ({ Stage: stage, Message: message })),
  'steering.injected': kind('steering.injected', 'agent.steering.injected', ({ count, length }) => ({
    Count: count,
    TotalContentLen: length,
  })),
  'followup.queued': kind('followup.queued', 'agent.follow_up.queued', ({ tool, length }) => ({
    SourceTool: tool,
    ContentLen: length,
  })),
  'interrupt.received': kind(
    'interrupt.received',
    'agent.interrupt.received',
    ({ kind: how, role, length, queued, hintLength }) => ({
      Kind: how,
      Role: role ?? '',
      ContentLen: length ?? 0,
      QueueDepth: queued ?? 0,
      HintLen: hintLength ?? 0,
    }),
  ),
  'agent.started': kind('agent.started', 'agent.subturn.spawn', ({ agentId, parentTurnId }) => ({
    AgentID: agentId,
    Label: agentId,
    ParentTurnID: parentTurnId ?? '',
  })),
  'agent.ended': kind('agent.ended', 'agent.subturn.end', ({ agentId, status }) => ({
    AgentID: agentId,
    Status: status === 'completed' ? 'completed' : 'error',
  })),
  'agent.delivered': kind('agent.delivered', 'agent.subturn.result_delivered', ({ length }) => ({
    TargetChannel: '',
    TargetChatID: '',
    ContentLen: length,
  })),
  'agent.orphaned': kind('agent.orphaned', 'agent.subturn.orphan', ({ parentTurnId, turnId, reason }) => ({
    ParentTurnID: parentTurnId,
    ChildTurnID: turnId ?? '',
    Reason: reason,
  })),
  'host.started': kind('host.started', 'gateway.start', timed),
  'host.ready': kind('host.ready', 'gateway.ready', timed),
  'host.stopped': kind('host.stopped', 'gateway.shutdown', timed),
  'host.reloadStarted': kind('host.reloadStarted', 'gateway.reload.started', timed),
  'host.reloaded': kind('host.reloaded', 'gateway.reload.completed', timed),
  'host.reloadFailed': kind('host.reloadFailed', 'gateway.reload.failed', timed),
  'mcp.connecting': kind('mcp.connecting', 'mcp.server.connecting', ({ server, type, url, command }) =>
    defined({ server, type, url, command }),
  ),
  'mcp.connected': kind('mcp.connected', 'mcp.server.connected', ({ server, toolCount }) =>
    defined({ server, tool_count: toolCount }),
  ),
  'mcp.failed': kind('mcp.failed', 'mcp.server.failed', ({ server, error }) => defined({ server, error })),
  'mcp.discovered': kind('mcp.discovered', 'mcp.tool.discovered', ({ server, tool }) => ({ server, tool })),
  'mcp.callStarted': kind('mcp.callStarted', 'mcp.tool.call.start', ({ server, tool }) => ({ server, tool })),
  'mcp.callEnded': kind('mcp.callEnded', 'mcp.tool.call.end', ({ server, tool, ms, isError, error }) =>
    defined({ server, tool, duration_ms: ms, is_error: isError, error }),
  ),
  'channel.initialized': kind('channel.initialized', 'channel.lifecycle.initialized', channel),
  'channel.started': kind('channel.started', 'channel.lifecycle.started', channel),
  'channel.startFailed': kind('channel.startFailed', 'channel.lifecycle.start_failed', channel),
  'channel.stopped': kind('channel.stopped', 'channel.lifecycle.stopped', channel),
  'channel.webhookRegistered': kind('channel.webhookRegistered', 'channel.webhook.registered', channel),
  'channel.webhookRemoved': kind('channel.webhookRemoved', 'channel.webhook.unregistered', channel),
  'channel.queued': kind('channel.queued', 'channel.message.outbound_queued', outbound),
  'channel.sent': kind('channel.sent', 'channel.message.outbound_sent', outbound),
  'channel.sendFailed': kind('channel.sendFailed', 'channel.message.outbound_failed', outbound),
  'channel.rateLimited': kind('channel.rateLimited', 'channel.rate_limited', outbound),
  'bus.publishFailed': kind('bus.publishFailed', 'bus.publish.failed', ({ stream, error }) => ({ stream, error })),
  'bus.closing': kind('bus.closing', 'bus.close.started', () => ({})),
  'bus.drained': kind('bus.drained', 'bus.close.drained', ({ drained }) => defined({ drained })),
  'bus.closed': kind('bus.closed', 'bus.close.completed', () => ({})),
};

/** The kind that a notice is in PicoClaw's world, if any. */
export function kindOf(notice: string): Kind | undefined {
  return Object.hasOwn(kinds, notice) ? kinds[notice as NoticeName] : undefined;
}

function defined(fields: Obj): Obj {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
