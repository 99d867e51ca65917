/** PicoClaw's older event names, with the kinds they stand for today. */
export const picoclawEventAliases = {
  turn_start: 'agent.turn.start',
  turn_end: 'agent.turn.end',
  llm_request: 'agent.llm.request',
  llm_delta: 'agent.llm.delta',
  llm_response: 'agent.llm.response',
  llm_retry: 'agent.llm.retry',
  context_compress: 'agent.context.compress',
  session_summarize: 'agent.session.summarize',
  tool_exec_start: 'agent.tool.exec_start',
  tool_exec_end: 'agent.tool.exec_end',
  tool_exec_skipped: 'agent.tool.exec_skipped',
  steering_injected: 'agent.steering.injected',
  follow_up_queued: 'agent.follow_up.queued',
  interrupt_received: 'agent.interrupt.received',
  subturn_spawn: 'agent.subturn.spawn',
  subturn_end: 'agent.subturn.end',
  subturn_result_delivered: 'agent.subturn.result_delivered',
  subturn_orphan: 'agent.subturn.orphan',
  error: 'agent.error',
} as const;

/** Every event kind that a hook may list in `observe`. */
export const picoclawEventKinds: readonly string[] = [
  ...Object.values(picoclawEventAliases),
  'channel.lifecycle.initialized',
  'channel.lifecycle.started',
  'channel.lifecycle.start_failed',
  'channel.lifecycle.stopped',
  'channel.webhook.registered',
  'channel.webhook.unregistered',
  'channel.message.outbound_queued',
  'channel.message.outbound_sent',
  'channel.message.outbound_failed',
  'channel.rate_limited',
  'bus.publish.failed',
  'bus.close.started',
  'bus.close.drained',
  'bus.close.completed',
  'gateway.start',
  'gateway.ready',
  'gateway.shutdown',
  'gateway.reload.started',
  'gateway.reload.completed',
  'gateway.reload.failed',
  'mcp.server.connecting',
  'mcp.server.connected',
  'mcp.server.failed',
  'mcp.tool.discovered',
  'mcp.tool.call.start',
  'mcp.tool.call.end',
];

/** The hook points a process hook may list in `intercept`. */
export const picoclawHookPoints: readonly string[] = [
  'before_llm',
  'after_llm',
  'before_tool',
  'after_tool',
  'approve_tool',
];

/** The names in `observe` that select every event. */
export const observeAll: readonly string[] = ['*', 'all', ''];
