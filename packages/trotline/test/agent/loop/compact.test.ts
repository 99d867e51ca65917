import { createEngine, TrotlineError } from '@trotline/engine';
import { expect, test } from 'vitest';
import { createAgent } from '../../../src/agent/loop/agent.ts';
import { paired } from '../../../src/agent/loop/pairs.ts';
import type { Model } from '../../../src/agent/models/types.ts';
import { bash, scripted, stage } from '../support/agent.ts';
import { memoryStore } from '../support/store.ts';
import { tempDir } from '../support/temp.ts';

const long = 'word '.repeat(400);

test('a conversation that grew too long is summed up before the next request', async () => {
  const sessions = memoryStore();
  const options = { compactAtTokens: 1_000, sessions, sessionId: 's1' };
  const { agent, notices } = stage(
    [
      { text: long },
      { text: long },
      {
        text: 'SUMMARY',
        expect: [
          { in: 'lastUser', contains: 'Sum up' },
          { in: 'tools', matches: '^\\[\\]$' },
        ],
      },
      {
        text: 'ok',
        expect: [
          { in: 'messages', contains: 'SUMMARY' },
          { in: 'messages', absent: 'first prompt' },
          { in: 'lastUser', contains: 'third' },
        ],
      },
    ],
    options,
  );
  await agent.submit('first prompt');
  await agent.submit('second');
  expect((await agent.submit('third')).text).toBe('ok');
  expect(notices.find(({ name }) => name === 'context.compacted')?.data).toMatchObject({ reason: 'proactive_budget' });

  const resumed = stage([], options);
  await resumed.agent.ready();
  expect(resumed.agent.messages).toEqual(agent.messages);
});

test('what is kept keeps its calls and results together', async () => {
  const calls = Array.from({ length: 6 }, () => ({ toolCalls: [bash(`echo ${long}`), bash('echo b')] }));
  const { agent, sent } = stage([...calls, { text: 'SUMMARY' }, { text: 'ok' }], { compactAtTokens: 6_000 });
  const result = await agent.submit('go');
  expect(result.status).toBe('completed');
  for (const { messages } of sent) expect(paired(messages)).toEqual(messages);
  const shortened = sent.at(-1)?.messages ?? [];
  expect(shortened[1]?.content).toContain('SUMMARY');
  expect(shortened.length).toBeGreaterThan(2);
});

test('a server that says the conversation is too long gets a shorter one', async () => {
  const { model, sent } = scripted([{ text: long }, { text: long }, { text: 'SUMMARY' }, { text: 'ok' }]);
  let refused = false;
  const strict: Model = {
    ...model,
    stream(request, context) {
      if (sent.length === 2 && !refused) {
        refused = true;
        return (async function* () {
          yield* [];
          throw new TrotlineError('agent.context-full', { what: 'too long' });
        })();
      }
      return model.stream(request, context);
    },
  };
  const engine = createEngine();
  const agent = createAgent({ engine, model: strict, cwd: tempDir(), compactAtTokens: 2_000 });
  await agent.submit('one');
  await agent.submit('two');
  expect((await agent.submit('three')).text).toBe('ok');
  expect(
    sent
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join(),
  ).toContain('SUMMARY');
  await agent.close();
});

test('where no summary can be had the older part is left out, and the model is told', async () => {
  const { model } = scripted([{ text: long }, { text: 'ok', expect: [{ in: 'messages', contains: 'left out' }] }]);
  const broken: Model = {
    ...model,
    stream(request, context) {
      const summing = request.messages.at(-1)?.content.startsWith('Sum up');
      if (summing !== true) return model.stream(request, context);
      return (async function* () {
        yield* [];
        throw new TrotlineError('agent.model-refused', { what: 'no summaries today' });
      })();
    },
  };
  const engine = createEngine();
  const agent = createAgent({ engine, model: broken, cwd: tempDir() });
  await agent.submit('one');
  expect(await agent.compact()).toMatchObject({ tokensBefore: expect.any(Number) });
  expect((await agent.submit('two')).text).toBe('ok');
  await agent.close();
});

test('a person shortens with instructions, and a hook sees them and may skip', async () => {
  let skip = true;
  const { agent } = stage(
    [{ text: 'one' }, { text: 'two' }, { text: 'SUMMARY', expect: [{ in: 'lastUser', contains: 'keep the numbers' }] }],
    {},
    (engine) =>
      engine.on('session.compact', (_$, e, next) =>
        skip ? { skip: 'not now' } : next({ ...e, instructions: 'keep the numbers' }),
      ),
  );
  await agent.submit('a');
  await agent.submit('b');
  expect(await agent.compact()).toEqual({ skip: 'not now' });
  expect(agent.messages).toHaveLength(4);
  skip = false;
  await agent.compact('keep the names');
  expect(agent.messages[0]?.content).toContain('SUMMARY');
});

test('a hook’s own shortened conversation is taken as it is', async () => {
  const { agent } = stage([{ text: 'one' }, { text: 'two' }], {}, (engine) =>
    engine.on('session.compact', (_$, e) => ({
      messages: [{ role: 'user', text: 'mine' }, ...e.messages.slice(-1)],
    })),
  );
  await agent.submit('a');
  await agent.submit('b');
  await agent.compact();
  expect(agent.messages).toEqual([
    { role: 'user', content: 'mine' },
    { role: 'assistant', content: 'two' },
  ]);
});

test('a conversation of nothing has nothing to shorten', async () => {
  const { agent } = stage([]);
  expect(await agent.compact()).toHaveProperty('skip');
});
