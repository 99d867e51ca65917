import { t } from '../shape.ts';
import { defineNotice } from './define.ts';

const timed = { ms: t.optional(t.number), error: t.optional(t.string) };
const channel = { channel: t.optional(t.string), type: t.optional(t.string), error: t.optional(t.string) };
const outbound = {
  channel: t.optional(t.string),
  media: t.optional(t.boolean),
  length: t.optional(t.number),
  messageIds: t.optional(t.list(t.string)),
  replyTo: t.optional(t.string),
  retries: t.optional(t.number),
  error: t.optional(t.string),
};
const server = {
  server: t.string,
  type: t.optional(t.string),
  url: t.optional(t.string),
  command: t.optional(t.string),
  toolCount: t.optional(t.number),
  error: t.optional(t.string),
};
const mcpCall = { server: t.string, tool: t.string };

/** Notices of the host: its start and reload, MCP servers, and what a messaging host says of its channels. */
export const hostNotices = {
  'host.started': defineNotice('host.started', 'The host started.', timed),
  'host.ready': defineNotice('host.ready', 'The host is ready.', timed),
  'host.stopped': defineNotice('host.stopped', 'The host stops.', timed),
  'host.reloadStarted': defineNotice('host.reloadStarted', 'The configuration is read again.', timed),
  'host.reloaded': defineNotice('host.reloaded', 'The configuration was read again and stands.', timed),
  'host.reloadFailed': defineNotice(
    'host.reloadFailed',
    'The configuration was read again and the old one kept.',
    timed,
  ),
  'mcp.connecting': defineNotice('mcp.connecting', 'An MCP server is being connected.', server),
  'mcp.connected': defineNotice('mcp.connected', 'An MCP server is connected.', server),
  'mcp.failed': defineNotice('mcp.failed', 'An MCP server could not be connected, or was lost.', server),
  'mcp.discovered': defineNotice('mcp.discovered', 'A tool of an MCP server was found.', { ...server, tool: t.string }),
  'mcp.callStarted': defineNotice('mcp.callStarted', 'A tool of an MCP server is called.', mcpCall),
  'mcp.callEnded': defineNotice('mcp.callEnded', 'A tool of an MCP server answered.', {
    ...mcpCall,
    ms: t.number,
    isError: t.boolean,
    error: t.optional(t.string),
  }),
  'channel.initialized': defineNotice('channel.initialized', 'A channel was made.', channel),
  'channel.started': defineNotice('channel.started', 'A channel started.', channel),
  'channel.startFailed': defineNotice('channel.startFailed', 'A channel could not start.', channel),
  'channel.stopped': defineNotice('channel.stopped', 'A channel stopped.', channel),
  'channel.webhookRegistered': defineNotice('channel.webhookRegistered', 'A channel registered its webhook.', channel),
  'channel.webhookRemoved': defineNotice('channel.webhookRemoved', 'A channel took back its webhook.', channel),
  'channel.queued': defineNotice('channel.queued', 'A message waits to be sent.', outbound),
  'channel.sent': defineNotice('channel.sent', 'A message was sent.', outbound),
  'channel.sendFailed': defineNotice('channel.sendFailed', 'A message could not be sent.', outbound),
  'channel.rateLimited': defineNotice('channel.rateLimited', 'A channel must wait before it sends.', outbound),
  'bus.publishFailed': defineNotice('bus.publishFailed', 'A message found no place on the host’s bus.', {
    stream: t.string,
    error: t.string,
  }),
  'bus.closing': defineNotice('bus.closing', 'The host’s bus closes.', {}),
  'bus.drained': defineNotice('bus.drained', 'The host’s bus is empty.', { drained: t.optional(t.number) }),
  'bus.closed': defineNotice('bus.closed', 'The host’s bus is closed.', {}),
} as const;
