import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { ShownChunk } from '../../../src/agent/loop/types.ts';
import { resolveModel } from '../../../src/agent/models/resolve.ts';
import type { Model } from '../../../src/agent/models/types.ts';
import { stage } from '../support/agent.ts';
import { chat, deadUrl, messages, modelServer, refuse } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
const kinds = [
  ['anthropic', messages],
  ['openai', chat],
] as const;
const modelAt = (kind: string, url: string): Model =>
  resolveModel(`${kind}/m`, { env, baseUrl: url, retry: { backoffMs: 1, maxRetries: 1 } });
const touch = (name: string): { name: string; json: string } => ({ name: 'Bash', json: `{"command":"touch ${name}"}` });

test.each(kinds)(
  'a whole session over HTTP as %s, streamed: effects, results and hooks are real',
  async (kind, say) => {
    const server = await modelServer(say({ text: 'I do it.', tool: touch('made') }), say({ text: 'It is done.' }));
    const { agent, cwd } = stage([], { model: modelAt(kind, server.url) }, (engine) =>
      engine.on('tool.call', { command: 'touch made' }, (_$, e, next) =>
        next({ ...e, command: 'touch rewritten; echo ok' }),
      ),
    );
    const shown: ShownChunk[] = [];
    const result = await agent.submit('go', { onChunk: (chunk) => shown.push(chunk) });
    expect(result).toMatchObject({ status: 'completed', text: 'It is done.', iterations: 2 });
    expect(existsSync(join(cwd, 'rewritten'))).toBe(true);
    expect(existsSync(join(cwd, 'made'))).toBe(false);
    expect(JSON.stringify(server.asked[1]?.body.messages)).toContain('ok\\n');
    expect(shown.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(2);
    expect(result.usage).toMatchObject({ input_tokens: 22, output_tokens: 14 });
  },
);

test.each(kinds)('an answer cut in the middle (%s) is asked for again, and no tool runs twice', async (kind, say) => {
  const server = await modelServer(
    say({ text: 'half of', tool: touch('half'), short: 'cut' }),
    say({ text: 'whole', tool: { name: 'Bash', json: '{"command":"echo x >> count"}' } }),
    say({ text: 'done' }),
  );
  const { agent, cwd, notices } = stage([], { model: modelAt(kind, server.url) });
  const shown: string[] = [];
  const result = await agent.submit('go', { onChunk: ({ kind }) => shown.push(kind) });
  expect(result).toMatchObject({ status: 'completed', text: 'done' });
  expect(existsSync(join(cwd, 'half'))).toBe(false);
  expect(readFileSync(join(cwd, 'count'), 'utf8')).toBe('x\n');
  expect(shown).toContain('restart');
  expect(notices.find(({ name }) => name === 'llm.retried')?.data).toMatchObject({ reason: 'network' });
  expect(JSON.stringify(agent.messages)).not.toContain('half of');
});

test('an answer that is cut each time ends the turn with an error, and the next prompt goes on', async () => {
  const server = await modelServer(
    chat({ text: 'half', short: 'cut' }),
    chat({ text: 'half', short: 'cut' }),
    chat({ text: 'whole' }),
  );
  const { agent } = stage([], { model: modelAt('openai', server.url) });
  expect(await agent.submit('go')).toMatchObject({ status: 'error', error: { code: 'agent.model-cut' } });
  expect((await agent.submit('again')).text).toBe('whole');
});

test('a server that is busy and then out of order is waited for', async () => {
  const server = await modelServer(refuse(429, 'busy', { 'retry-after': '0' }), chat({ text: 'here' }));
  const { agent, notices } = stage([], { model: modelAt('openai', server.url) });
  expect((await agent.submit('go')).text).toBe('here');
  expect(notices.filter(({ name }) => name === 'llm.retried')).toHaveLength(1);
});

test('an unreachable server ends the turn with an error that says what was tried', async () => {
  const url = await deadUrl();
  const { agent } = stage([], { model: modelAt('openai', url) });
  const result = await agent.submit('go');
  expect(result).toMatchObject({ status: 'error', error: { code: 'agent.model-unreachable' } });
  expect(result.reason).toContain(url);
});

// The scripted server that other agents are tried with, where it is at hand.
const shared = process.env['TROTLINE_SHARED'] ?? fileURLToPath(new URL('../../../../../../shared', import.meta.url));
const scriptedServer = join(shared, 'tools', 'scripted-model', 'scripted-model.mjs');

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.skipIf(!existsSync(scriptedServer)).each(['anthropic', 'openai'])(
  'the scripted server drives a session as %s',
  async (kind) => {
    const port = await freePort();
    const command = 'echo effect > effect; echo hi-from-the-tool';
    const child = spawn(process.execPath, [scriptedServer], {
      env: { ...process.env, FAKE_PORT: String(port), FAKE_LOG: join(tempDir(), 'log'), FAKE_CMD: command },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    ended.push(() => child.kill('SIGKILL'));
    await new Promise((resolve) => child.stderr.once('data', resolve));
    const { agent, cwd } = stage([], { model: modelAt(kind, `http://127.0.0.1:${port}`) });
    const result = await agent.submit('go');
    expect(result.text).toContain('hi-from-the-tool');
    expect(existsSync(join(cwd, 'effect'))).toBe(true);
  },
);
