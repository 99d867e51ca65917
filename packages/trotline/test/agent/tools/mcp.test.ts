import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { call, stage } from '../support/agent.ts';

const server = fileURLToPath(new URL('../support/mcp-server.mjs', import.meta.url));
const echoing = { command: process.execPath, args: [server], env: { MCP_TEST: 'given' } };

test('the tools of a server are offered and called over the line', async () => {
  const seen: unknown[] = [];
  const { agent, sent } = stage(
    [
      { toolCalls: [call('mcp__test__echo', { text: 'hello' })] },
      { toolCalls: [call('mcp__test__fail', {})], expect: [{ in: 'lastToolResult', contains: 'echo: hello given' }] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'it failed' }] },
    ],
    { mcpServers: { test: echoing } },
    (engine) =>
      engine.on('tool.call', (_$, e, next) => {
        seen.push(e.tool);
        return next(e);
      }),
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(seen).toEqual(['mcp__test__echo', 'mcp__test__fail']);
  expect(sent[0]?.tools.map(({ name }) => name)).toContain('mcp__test__odd_name_');
});

test('a server that dies leaves an error for the model', async () => {
  const { agent } = stage(
    [
      { toolCalls: [call('mcp__test__crash', {}), call('mcp__test__echo', { text: 'x' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', absent: 'echo: x' }] },
    ],
    { mcpServers: { test: echoing } },
  );
  expect((await agent.submit('go')).text).toBe('ok');
});

test('a server that does not start is named with what it printed, and the others work', async () => {
  const broken = { command: process.execPath, args: ['-e', 'console.error("no database"); process.exit(3)'] };
  const { agent } = stage(
    [
      { toolCalls: [call('mcp__test__echo', { text: 'x' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'echo: x' }] },
    ],
    { mcpServers: { broken, missing: { command: '/nowhere/at/all' }, test: echoing } },
  );
  expect((await agent.submit('go')).text).toBe('ok');
  const [first, second] = agent.problems;
  expect(first).toMatchObject({ code: 'agent.mcp-failed', detail: { key: 'agent.mcp_servers.broken' } });
  expect(first?.message).toContain('no database');
  expect(second?.message).toContain('/nowhere/at/all');
});
