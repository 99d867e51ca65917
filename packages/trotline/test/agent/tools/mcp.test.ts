import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { call, stage } from '../support/agent.ts';
import { tempDir } from '../support/temp.ts';

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

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

test('what a server started itself ends with the agent, and its output that is no message is passed over', async () => {
  const cwd = tempDir();
  const noisy = {
    command: 'sh',
    args: ['-c', `sleep 300 & echo $! > child; echo 'this is no message'; exec ${process.execPath} ${server}`],
  };
  const { agent } = stage(
    [
      { toolCalls: [call('mcp__test__echo', { text: 'x' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'echo: x' }] },
    ],
    { mcpServers: { test: noisy }, cwd },
  );
  expect((await agent.submit('go')).text).toBe('ok');
  const child = Number(readFileSync(join(cwd, 'child'), 'utf8'));
  expect(lives(child)).toBe(true);
  await agent.close();
  // Killed it is by now; whoever inherited it may take a moment to notice.
  await vi.waitUntil(() => !lives(child), { timeout: 15_000 });
});

test('a server that writes without end is ended, and the call that waits for it fails', async () => {
  const flooding = {
    command: process.execPath,
    args: [
      '-e',
      `process.stdin.once('data', () => { const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more(); })`,
    ],
  };
  const { agent } = stage([{ text: 'ok' }], { mcpServers: { flooding } });
  expect((await agent.submit('go')).text).toBe('ok');
  expect(agent.problems).toMatchObject([{ code: 'agent.mcp-failed' }]);
});
