import type { TrotlineError } from '@trotline/engine';
import { afterEach, expect, test, vi } from 'vitest';
import { resolveModel } from '../../../src/agent/models/resolve.ts';
import type { Chunk, Message, Model, ModelResponse, Retry } from '../../../src/agent/models/types.ts';
import { chat, deadUrl, messages, modelServer, refuse } from '../support/server.ts';

const conversation: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'list it' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'Bash', input: { command: 'ls' } }] },
  { role: 'tool', toolCallId: 'c1', toolName: 'Bash', content: 'a b', isError: true },
  { role: 'assistant', content: '' },
];
const tools = [{ name: 'Bash', description: 'runs', inputSchema: { type: 'object', properties: {} } }];

interface Run {
  readonly chunks: Chunk[];
  readonly retries: Retry[];
  readonly response?: ModelResponse;
  readonly error?: TrotlineError;
}

async function ask(model: Model, signal = new AbortController().signal): Promise<Run> {
  const chunks: Chunk[] = [];
  const retries: Retry[] = [];
  try {
    const stream = model.stream(
      { model: model.id, messages: conversation, tools, options: { max_tokens: 99, temperature: 0.5 } },
      { signal, onRetry: (retry) => retries.push(retry) },
    );
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return { chunks, retries, response: next.value };
      chunks.push(next.value);
    }
  } catch (error) {
    return { chunks, retries, error: error as TrotlineError };
  }
}

const env = { ANTHROPIC_API_KEY: 'sk-ant-secret', OPENAI_API_KEY: 'sk-oai-secret' };
const retry = { backoffMs: 1, maxRetries: 2 };
const openai = (url: string, more = {}): Model =>
  resolveModel('openai/m', { env, baseUrl: url, retry: { ...retry, ...more } });
const anthropic = (url: string): Model =>
  resolveModel('anthropic/m', { env: { ...env, ANTHROPIC_BASE_URL: url }, retry });

afterEach(() => vi.restoreAllMocks());

test.each(['', '/v1', '/v1/'])('Anthropic is asked at its address, given as …%s', async (path) => {
  const server = await modelServer(messages({ text: 'I look.', tool: { name: 'Bash', json: '{"command":"ls"}' } }));
  const { response, chunks } = await ask(anthropic(server.url + path));
  expect(server.asked[0]?.url).toBe('/v1/messages');
  expect(server.asked[0]?.headers['x-api-key']).toBe('sk-ant-secret');
  expect(response).toEqual({
    text: 'I look.',
    toolCalls: [{ id: 'toolu_a', name: 'Bash', input: { command: 'ls' } }],
    stopReason: 'tool_use',
    usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 0 },
  });
  expect(chunks.map(({ kind }) => kind)).toEqual(['text', 'text', 'tool', 'input', 'stop']);
});

test('Anthropic gets the conversation in its own form, without the empty answer', async () => {
  const server = await modelServer(messages({ text: 'done' }));
  await ask(anthropic(server.url));
  const { system, messages: sent, max_tokens } = server.asked[0]?.body ?? {};
  expect(system[0].text).toBe('Be brief.');
  expect(max_tokens).toBe(99);
  expect(sent.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant', 'user']);
  expect(sent[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'c1', is_error: true });
});

test('an OpenAI-compatible server is asked for a streamed chat completion', async () => {
  const server = await modelServer(chat({ text: 'I look.', tool: { name: 'Bash', json: '{"command":"ls"}' } }));
  const { response } = await ask(openai(server.url));
  const { url, headers, body } = server.asked[0] ?? {};
  expect(url).toBe('/v1/chat/completions');
  expect(headers?.authorization).toBe('Bearer sk-oai-secret');
  expect(body).toMatchObject({ model: 'm', stream: true, max_tokens: 99, temperature: 0.5 });
  expect(body.messages.map((message: { role: string }) => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ]);
  expect(response).toMatchObject({
    text: 'I look.',
    toolCalls: [{ id: 'call_a', name: 'Bash', input: { command: 'ls' } }],
    stopReason: 'tool_use',
    usage: { input_tokens: 11, output_tokens: 7 },
  });
});

test('a server of somebody’s own gets no key unless one is named for it', async () => {
  const server = await modelServer(chat({ text: 'ok' }));
  await ask(resolveModel('compatible/m', { env, baseUrl: `${server.url}/api` }));
  await ask(resolveModel('llama/m', { env: { MY_KEY: 'mine' }, baseUrl: server.url, apiKeyEnv: 'MY_KEY' }));
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer mine']);
  expect(server.asked.map(({ url }) => url)).toEqual(['/api/chat/completions', '/v1/chat/completions']);
});

test('arguments that are no JSON object make a malformed call', async () => {
  const server = await modelServer(chat({ tool: { name: 'Bash', json: '["ls"]' } }));
  const { response } = await ask(openai(server.url));
  expect(response?.toolCalls).toEqual([{ id: 'call_a', name: 'Bash', input: {}, malformed: '["ls"]' }]);
});

test.each([
  ['anthropic/m', 'ANTHROPIC_API_KEY'],
  ['openai/m', 'OPENAI_API_KEY'],
])('%s without a key says that %s is not set, and how to go without', (name, variable) => {
  expect(() => resolveModel(name, { env: {} })).toThrow(
    expect.objectContaining({ code: 'agent.no-key', message: expect.stringContaining(variable) }),
  );
  expect(() => resolveModel(name, { env: {} })).toThrow('--model script:FILE');
});

test.each(['gpt', '/m', 'openai/', 'unheard/m'])('%j names no model that can be asked', (name) => {
  expect(() => resolveModel(name, { env })).toThrow(expect.objectContaining({ code: 'agent.no-model' }));
});

test('429 waits as long as the server asks, and the answer comes', async () => {
  const server = await modelServer(refuse(429, 'slow down', { 'retry-after-ms': '3' }), chat({ text: 'now' }));
  const { response, retries } = await ask(openai(server.url));
  expect(response?.text).toBe('now');
  expect(retries).toMatchObject([{ attempt: 1, maxRetries: 2, reason: 'rate_limit', backoffMs: 3 }]);
});

test('a server that asks for a longer wait than allowed is not asked again', async () => {
  const server = await modelServer(refuse(429, 'come back tomorrow', { 'retry-after': '86400' }));
  const { error } = await ask(openai(server.url));
  expect(error?.code).toBe('agent.model-refused');
  expect(error?.message).toContain('come back tomorrow');
  expect(error?.message).toContain('86400 s');
  expect(server.asked).toHaveLength(1);
});

test('500 is tried again, at most as often as allowed, and the error quotes the server', async () => {
  const server = await modelServer(refuse(500, 'out of order'));
  const { error, retries } = await ask(anthropic(server.url));
  expect(server.asked).toHaveLength(3);
  expect(retries.map(({ reason }) => reason)).toEqual(['server_error', 'server_error']);
  expect(error?.message).toContain('answered 500');
  expect(error?.message).toContain('out of order');
});

test('a refusal is not tried again, and the key is not shown though the server quotes it', async () => {
  const server = await modelServer(refuse(401, 'bad key sk-oai-secret'));
  const { error } = await ask(openai(server.url));
  expect(server.asked).toHaveLength(1);
  expect(error?.message).toContain('bad key [key]');
  expect(error?.message).not.toContain('sk-oai-secret');
});

test('a conversation too long for the model is told apart', async () => {
  const server = await modelServer(refuse(400, "This model's maximum context length is 8192 tokens"));
  expect((await ask(openai(server.url))).error?.code).toBe('agent.context-full');
});

test('a request that the server cannot read is told apart', async () => {
  const server = await modelServer(refuse(400, 'messages.3: unexpected role'));
  expect((await ask(anthropic(server.url))).error?.code).toBe('agent.request-refused');
});

test('a server that cannot be reached is named with its address', async () => {
  const url = await deadUrl();
  const { error, retries } = await ask(openai(url));
  expect(error?.code).toBe('agent.model-unreachable');
  expect(error?.message).toContain(url);
  expect(retries.map(({ reason }) => reason)).toEqual(['network', 'network']);
});

test.each(['end', 'cut'] as const)(
  'a stream that breaks off (%s) before anything was shown is asked for again',
  async (short) => {
    const server = await modelServer(chat({ short }), chat({ text: 'whole' }));
    const { response, retries } = await ask(openai(server.url));
    expect(response?.text).toBe('whole');
    expect(retries).toHaveLength(1);
  },
);

test.each(['end', 'cut'] as const)(
  'an answer that breaks off (%s) after text was shown is no answer',
  async (short) => {
    for (const [server, make] of [
      [await modelServer(chat({ text: 'half', short })), openai],
      [await modelServer(messages({ text: 'half', short })), anthropic],
    ] as const) {
      const { error, response } = await ask(make(server.url));
      expect(response).toBeUndefined();
      expect(error?.code).toBe('agent.model-cut');
    }
  },
);

test('a tool call cut in its arguments is no answer', async () => {
  const server = await modelServer(chat({ tool: { name: 'Bash', json: '{"command":"rm -rf build"}' }, short: 'end' }));
  const { error, response } = await ask(openai(server.url));
  expect(response).toBeUndefined();
  expect(error?.code).toBe('agent.model-cut');
});

test('a silent server is given up after the timeout', async () => {
  const server = await modelServer(chat({ short: 'hold' }));
  const { error, retries } = await ask(openai(server.url, { timeoutMs: 50, maxRetries: 1 }));
  expect(error?.code).toBe('agent.model-timeout');
  expect(retries).toMatchObject([{ reason: 'timeout' }]);
});

test('an abort ends the request and closes the connection', async () => {
  let closed: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const abort = new AbortController();
  const server = await modelServer((response) => {
    response.on('close', closed);
    chat({ text: 'never ending', short: 'hold' })(response, { url: '', headers: {}, body: {} });
    abort.abort(new Error('enough'));
  });
  const { error } = await ask(openai(server.url), abort.signal);
  expect(error?.message).toBe('enough');
  await gone;
});

test('nothing is printed about models the provider does not know', async () => {
  const said = ['log', 'warn', 'error', 'info'] as const;
  const spies = said.map((name) => vi.spyOn(console, name));
  const server = await modelServer(messages({ text: 'ok' }));
  await ask(anthropic(server.url));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
