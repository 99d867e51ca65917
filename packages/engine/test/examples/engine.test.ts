import { expect, test } from 'vitest';
import { createEngine, type ModelChunk, type ModelResponse } from '../../src/index.ts';

test('rules, a person and a record', async () => {
  const log: string[] = [];
  const line = createEngine({
    gate: {
      rules: ({ tool }) =>
        tool === 'Write'
          ? { decision: 'ask', reason: 'it writes', source: { kind: 'rule', name: 'policy' } }
          : undefined,
      ask: async (call, { reason }) => {
        log.push(`may ${call.tool} run? ${reason}`);
        return { decision: 'allow', source: { kind: 'person', name: 'ada' } };
      },
    },
    recorder: {
      decided: ({ decision, tool, source }) => void log.push(`${decision} ${tool} by ${source.name}`),
      settled: (_id, { status }) => void log.push(status),
    },
  });
  await line.tool({ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }, () => 'written');
  expect(log).toEqual(['may Write run? it writes', 'allow Write by ada', 'done']);
});

test('rewrite a prompt, answer in a tool’s place, mask a result', async () => {
  const line = createEngine();
  line.on('prompt.submit', ($, e, next) =>
    next({ ...e, context: [...(e.context ?? []), `asked by ${$.plugin.name}`] }),
  );
  line.on('tool.call', { tool: 'Read' }, (_$, e, next) =>
    e.file_path === 'cached' ? { result: 'from the cache' } : next(e),
  );
  line.on('tool.call', async (_$, e, next) => {
    const beneath = await next(e);
    return beneath.text === undefined ? beneath : { ...beneath, result: beneath.text.replace(/sk-\w+/g, '***') };
  });
  const prompt = await line.raise('prompt.submit', { text: 'go', wait: false, origin: { kind: 'composer' } });
  expect(prompt).toEqual({ text: 'go', context: ['asked by program'] });
  expect((await line.tool({ tool: 'Read', input: { file_path: 'cached' } }, () => 'fresh')).text).toBe(
    'from the cache',
  );
  expect((await line.tool({ tool: 'Read', input: { file_path: 'key' } }, () => 'the key is sk-123')).text).toBe(
    'the key is ***',
  );
});

test('hooks on the model: live chunks, or the whole answer', async () => {
  const line = createEngine();
  line.on('turn.step', async function* (_$, e, next) {
    const answer = yield* next({ ...e, effort: 'high' });
    return answer;
  });
  line.on('llm.request', async (_$, e, next) => {
    const answer = await next(e);
    return { ...answer, text: `${answer.text}!` };
  });
  async function* send(): AsyncGenerator<ModelChunk, ModelResponse, undefined> {
    yield { kind: 'text', index: 0, text: 'hello' };
    yield { kind: 'stop', stopReason: 'end_turn', usage: null };
    return { text: 'hello', toolCalls: [], stopReason: 'end_turn', usage: null };
  }
  const stream = line.model({ turnId: 't', index: 0, model: 'm', messages: [], tools: [], options: {} }, send);
  let shown = '';
  for await (const chunk of stream) if (chunk.kind === 'text') shown += chunk.text;
  expect(shown).toBe('hello!');
  expect((await stream.result).text).toBe('hello!');
});

test('serve ops to hooks, and guard them', async () => {
  const line = createEngine({ ops: { 'fs.read': ({ path }) => `content of ${path}` } });
  line.on('fs.read', { path: /\.env$/ }, () => ({ deny: 'secrets stay where they are' }));
  const read: string[] = [];
  line.owner({ name: 'reader' }).on('turn.start', async ($, e, next) => {
    for (const path of ['a.txt', '.env']) {
      read.push(String(await $.fs.read(path).catch((error: Error) => error.message)));
    }
    return next(e);
  });
  await line.raise('turn.start', { text: '', turnId: 't' });
  expect(read).toEqual(['content of a.txt', 'reader: $.fs.read: secrets stay where they are']);
});

test('see why a call would be denied, and watch what happens', async () => {
  const line = createEngine();
  line.owner({ name: 'guard' }).on('tool.call', { tool: 'Bash', command: /rm/ }, () => ({ deny: 'not here' }));
  const { links, run } = await line.explain('tool.call', { tool: 'Bash', command: 'rm x' }, { run: true });
  expect(links.map(({ name, matches }) => [name, matches])).toEqual([['guard', true]]);
  expect(run?.result).toEqual({ deny: 'not here' });

  const seen: string[] = [];
  const stop = line.observe((one) => void (one.kind === 'notice' && seen.push(one.notice.name)), { pattern: 'tool.*' });
  await line.tool({ tool: 'Bash', input: { command: 'ls' } }, () => 'ran');
  await line.close();
  stop();
  expect(seen).toEqual(['tool.started', 'tool.ended']);
});
