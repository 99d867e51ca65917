import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Ended, ensureBuilt, type Place, trotline } from '../../cli/harness.ts';
import { chat, deadUrl, messages, modelServer, refuse } from '../support/server.ts';
import { place } from './places.ts';

beforeAll(ensureBuilt, 120_000);

const kinds = [
  ['anthropic', messages, 'ANTHROPIC'],
  ['openai', chat, 'OPENAI'],
] as const;
const counting = { name: 'Bash', json: '{"command":"echo ran >> count; echo from-the-tool"}' };

const run = (here: Place, model: string, env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  trotline(here, ['run', 'go', '--model', model, ...args], { env });
const at = (prefix: string, url: string): Record<string, string> => ({
  [`${prefix}_BASE_URL`]: url,
  [`${prefix}_API_KEY`]: 'sk-test-1234567890',
});
const runs = ({ cwd }: Place): string =>
  existsSync(join(cwd, 'count')) ? readFileSync(join(cwd, 'count'), 'utf8') : '';

test.each(kinds)(
  'run drives a model server (%s): streamed words, the effect of the call, exit 0',
  async (kind, say, prefix) => {
    const server = await modelServer(say({ text: 'I do it.', tool: counting }), say({ text: 'It is done.' }));
    const here = place();
    const { code, stdout, stderr } = await run(here, `${kind}/m`, at(prefix, server.url), '--allow', 'Bash');
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'I do it.\nIt is done.\n' });
    expect(runs(here)).toBe('ran\n');
    expect(JSON.stringify(server.asked[1]?.body.messages)).toContain('from-the-tool');
    expect(JSON.stringify(server.asked[0]?.headers)).toContain('sk-test-1234567890');
  },
);

test.each(kinds)(
  'a call that is not allowed (%s) is told to the server as denied, and has no effect',
  async (kind, say, prefix) => {
    const server = await modelServer(say({ tool: counting }), say({ text: 'I may not.' }));
    const here = place();
    const { code, stdout } = await run(here, `${kind}/m`, at(prefix, server.url));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'I may not.\n' });
    expect(runs(here)).toBe('');
    expect(JSON.stringify(server.asked[1]?.body.messages)).toContain('--allow');
  },
);

test.each(kinds)(
  'a stream cut in the middle (%s) begins anew, is told, and no call runs twice',
  async (kind, say, prefix) => {
    const server = await modelServer(
      say({ text: 'Half of it', tool: counting, short: 'cut' }),
      say({ text: 'All of it.', tool: counting }),
      say({ text: 'Done.' }),
    );
    const here = place();
    const { code, stdout, stderr } = await run(here, `${kind}/m`, at(prefix, server.url), '--allow', 'Bash');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/All of it\.\nDone\.\n$/);
    expect(stderr).toContain('the answer broke off and begins anew');
    expect(runs(here)).toBe('ran\n');
    expect(server.asked).toHaveLength(3);
  },
);

test.each(kinds)('429 and then 500 (%s) are waited for and told', async (kind, say, prefix) => {
  const server = await modelServer(
    refuse(429, 'slow down', { 'retry-after': '0' }),
    refuse(500, 'out of order', { 'retry-after': '0' }),
    say({ tool: counting }),
    say({ text: 'Here.' }),
  );
  const here = place();
  const { code, stdout, stderr } = await run(here, `${kind}/m`, at(prefix, server.url), '--allow', 'Bash');
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Here.\n' });
  expect(stderr).toMatch(/asked again \(1 of \d\).*slow down/);
  expect(stderr).toMatch(/asked again \(2 of \d\).*out of order/);
  expect(runs(here)).toBe('ran\n');
});

test('a server that refuses the key is exit 1 with its words, and the key is in none of them', async () => {
  const server = await modelServer(refuse(401, 'the key sk-test-1234567890 is not valid'));
  const { code, stderr } = await run(place(), 'openai/m', at('OPENAI', server.url));
  expect(code).toBe(1);
  expect(stderr).toContain('answered 401');
  expect(stderr).toContain('agent.model-refused');
  expect(stderr).not.toContain('sk-test');
});

test('a server that cannot be reached is exit 1 with what was tried', async () => {
  const url = await deadUrl();
  const here = place();
  const { code, stdout, stderr } = await run(here, 'openai/m', at('OPENAI', url));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('agent.model-unreachable');
  expect(stderr).toContain(url);
  expect(stderr).toMatch(/tried \d times/);
}, 60_000);

test.each(kinds)(
  'without a key (%s) it is exit 2, the variable is named and the demonstration offered',
  async (kind, _say, prefix) => {
    const { code, stderr } = await run(place(), `${kind}/m`, {});
    expect(code).toBe(2);
    expect(stderr).toContain(`${prefix}_API_KEY`);
    expect(stderr).toContain('trotline demo');
  },
);

test('the configured options reach the body of the request, and never take the place of what went down the line', async () => {
  for (const [kind, say, prefix] of kinds) {
    const server = await modelServer(say({ text: 'Yes.' }));
    const config = {
      model: { name: `${kind}/m`, temperature: 0.5, options: { top_k: 7, metadata: { user_id: 'u' } } },
    };
    const here = place({ 'trotline.json': JSON.stringify(config) });
    const args = ['run', 'go', '--config', 'trotline.json'];
    const { code, stderr } = await trotline(here, args, { env: at(prefix, server.url) });
    expect(code, stderr).toBe(0);
    expect(server.asked[0]?.body).toMatchObject({ top_k: 7, metadata: { user_id: 'u' }, temperature: 0.5, model: 'm' });
    expect(JSON.stringify(server.asked[0]?.body.messages)).toContain('go');
  }
});

test('the options are part of what hooks and a script see of a request', async () => {
  const turns = [{ text: 'Yes.', expect: [{ in: 'options', contains: '"top_p":0.25' }] }];
  const config = { model: { name: 'script:s.json', options: { top_p: 0.25 } } };
  const here = place({ 'trotline.json': JSON.stringify(config), 's.json': JSON.stringify({ turns }) });
  const { code, stderr } = await trotline(here, ['run', 'go', '--config', 'trotline.json']);
  expect(code, stderr).toBe(0);
});

const local = (url: string): string =>
  JSON.stringify({ model: { name: 'local/small', base_url: url, api_key_env: 'LOCAL_KEY' } });

test('the configured address and key hold for another model of the same provider, and for doctor', async () => {
  const server = await modelServer(chat({ text: 'Yes.' }));
  const here = place({ 'trotline.json': local(server.url) });
  const env = { LOCAL_KEY: 'local-key-1' };
  const { code, stderr } = await trotline(here, ['run', 'go', '--config', 'trotline.json', '--model', 'local/big'], {
    env,
  });
  expect(code, stderr).toBe(0);
  expect(server.asked[0]?.body.model).toBe('big');
  expect(server.asked[0]?.headers.authorization).toBe('Bearer local-key-1');

  const doctor = await trotline(here, ['doctor', '--config', 'trotline.json', '--json', '--online'], { env });
  const { findings } = JSON.parse(doctor.stdout);
  expect(findings).toContainEqual({ check: 'model', state: 'ok', what: 'local/small' });
  expect(findings).toContainEqual({ check: 'keys', state: 'ok', what: 'LOCAL_KEY' });
  expect(findings).toContainEqual({ check: 'online', state: 'ok', what: 'local/small answered' });
  expect(server.asked[1]?.headers.authorization).toBe('Bearer local-key-1');
}, 40_000);

test('a provider of no address is told where to write one', async () => {
  const { code, stderr } = await run(place(), 'local/x', {});
  expect(code).toBe(2);
  expect(stderr).toContain('"base_url" beside "name" under "model"');
  expect(stderr).toContain('OPENAI_BASE_URL');
  expect(stderr).not.toContain('--base-url');
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

test.skipIf(!existsSync(scriptedServer)).each(kinds)(
  'the scripted server drives run as %s',
  async (kind, _say, prefix) => {
    const [port, here] = [await freePort(), place()];
    const FAKE_LOG = join(here.cwd, 'requests.log');
    const child = spawn(process.execPath, [scriptedServer], {
      env: { ...process.env, FAKE_PORT: String(port), FAKE_LOG, FAKE_CMD: 'echo ran >> count; echo hi-from-the-tool' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    ended.push(() => child.kill('SIGKILL'));
    await new Promise((resolve) => child.stderr.once('data', resolve));
    const { code, stdout, stderr } = await run(
      here,
      `${kind}/m`,
      at(prefix, `http://127.0.0.1:${port}`),
      '--allow',
      'Bash',
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('hi-from-the-tool');
    expect(runs(here)).toBe('ran\n');
    const requests = readFileSync(FAKE_LOG, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(requests.map(({ stream }) => stream)).toEqual([true, true]);
  },
);
