import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AbortTurn, HardAbort } from '@trotline/engine';
import { expect, test } from 'vitest';
import { paired } from '../../../src/agent/loop/pairs.ts';
import type { ShownChunk } from '../../../src/agent/loop/types.ts';
import { bash, call, onModel, stage } from '../support/agent.ts';

const texts = (messages: readonly { content: string }[]): string[] => messages.map(({ content }) => content);

test('a prompt becomes requests, tool calls with their effects, and an answer', async () => {
  const { agent, cwd, sent } = stage([
    {
      text: 'I write.',
      toolCalls: [call('Write', { file_path: 'a.txt', content: 'one\n' }), bash('cat a.txt >> b.txt')],
    },
    { text: 'Now I edit.', toolCalls: [call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' })] },
    { text: 'Done.', expect: [{ in: 'lastToolResult', contains: 'was changed' }] },
  ]);
  const result = await agent.submit('make files');
  expect(result).toMatchObject({ status: 'completed', text: 'Done.', iterations: 3 });
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n');
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('one\n');
  expect(sent[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(sent[2]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'tool',
    'assistant',
    'tool',
  ]);
  expect(result.usage.output_tokens).toBeGreaterThan(0);
});

test('the answer is shown as it comes', async () => {
  const { agent } = stage([{ text: 'An answer that is long enough to come in more than one piece.' }]);
  const shown: ShownChunk[] = [];
  await agent.submit('hi', { onChunk: (chunk) => shown.push(chunk) });
  expect(shown.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
});

test('a second prompt goes on with the conversation of the first', async () => {
  const { agent, sent } = stage([{ text: 'one' }, { text: 'two' }]);
  await agent.submit('first');
  await agent.submit('second');
  expect(texts(sent[1]?.messages.slice(1) ?? [])).toEqual(['first', 'one', 'second']);
});

test('two prompts at once do not mix: the second is refused', async () => {
  const { agent } = stage([{ text: 'one' }]);
  const first = agent.submit('first');
  await expect(agent.submit('second')).rejects.toMatchObject({ code: 'agent.busy' });
  expect((await first).text).toBe('one');
});

test('a hook denies a call: the tool does not run, the model is told, the batch goes on', async () => {
  const { agent, cwd, notices } = stage(
    [
      { toolCalls: [bash('touch denied'), bash('touch allowed')] },
      { text: 'ok', expect: [{ in: 'messages', contains: 'not that one' }] },
    ],
    {},
    (engine) => engine.on('tool.call', { tool: 'Bash', command: /denied/ }, () => ({ deny: 'not that one' })),
  );
  expect((await agent.submit('go')).status).toBe('completed');
  expect(existsSync(join(cwd, 'denied'))).toBe(false);
  expect(existsSync(join(cwd, 'allowed'))).toBe(true);
  const skipped = notices.find(({ name }) => name === 'tool.skipped');
  expect(skipped?.data).toMatchObject({ tool: 'Bash', reason: 'not that one' });
});

test('a hook rewrites the arguments: the rewritten call runs, the conversation keeps the model’s own', async () => {
  const { agent, cwd, sent } = stage([{ toolCalls: [bash('touch one')] }, { text: 'ok' }], {}, (engine) =>
    engine.on('tool.call', (_$, e, next) => next({ ...e, command: 'touch two' })),
  );
  await agent.submit('go');
  expect(existsSync(join(cwd, 'one'))).toBe(false);
  expect(existsSync(join(cwd, 'two'))).toBe(true);
  expect(sent[1]?.messages[2]).toMatchObject({ toolCalls: [{ input: { command: 'touch one' } }] });
});

test('a hook answers for a tool that nobody registered', async () => {
  const { agent } = stage(
    [
      { toolCalls: [call('Weather', { city: 'Recife' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'sunny' }] },
    ],
    {},
    (engine) => engine.on('tool.call', { tool: 'Weather' }, () => ({ result: 'sunny' })),
  );
  expect((await agent.submit('go')).status).toBe('completed');
});

test('a tool that nobody has and nobody answers for is an error for the model', async () => {
  const { agent } = stage([
    { toolCalls: [call('Weather', {})] },
    { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'no tool named "Weather"' }] },
  ]);
  expect((await agent.submit('go')).text).toBe('ok');
});

test('arguments that do not fit the schema are an error for the model, after the last rewrite', async () => {
  const { agent } = stage(
    [{ toolCalls: [bash('true')] }, { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'command' }] }],
    {},
    (engine) => engine.on('tool.call', (_$, e, next) => next({ ...e, command: 5 })),
  );
  expect((await agent.submit('go')).status).toBe('completed');
});

test('a hook rewrites one request, and the next begins from the unedited conversation', async () => {
  let count = 0;
  const { agent, sent } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }], {}, (engine) =>
    onModel(engine, async function* (e, next) {
      const extra = count++ === 0 ? [{ role: 'user', content: 'only once' }] : [];
      return yield* next({ ...e, messages: [...e.messages, ...extra] });
    }),
  );
  await agent.submit('go');
  expect(texts(sent[0]?.messages ?? [])).toContain('only once');
  expect(texts(sent[1]?.messages ?? [])).not.toContain('only once');
  expect(texts(agent.messages)).not.toContain('only once');
});

test('a hook may offer a tool of its own, but none outside the profile and none where there are to be none', async () => {
  const { agent, sent } = stage([{ text: 'ok' }, { text: 'aside' }], { allowedTools: ['Read', 'Weather'] }, (engine) =>
    onModel(engine, async function* (e, next) {
      const own = ['Weather', 'Bash'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } }));
      return yield* next({ ...e, tools: [...e.tools, ...own] });
    }),
  );
  await agent.submit('go');
  await agent.ask('by the way?');
  expect(sent.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['Read', 'Weather'], []]);
});

test('what leaves the outermost hook is acted on: a call that a hook streams runs', async () => {
  const { agent, cwd } = stage([{ text: 'nothing to do' }, { text: 'ok' }], {}, (engine) => {
    let first = true;
    onModel(engine, async function* (e, next) {
      if (!first) return yield* next(e);
      first = false;
      const response = yield* next(e);
      yield { kind: 'tool', index: 7, id: 'added', name: 'Bash' };
      yield { kind: 'input', index: 7, json: '{"command":"touch added"}' };
      return response;
    });
  });
  await agent.submit('go');
  expect(existsSync(join(cwd, 'added'))).toBe(true);
});

test('a request that a hook made senseless is not sent and says which part', async () => {
  const { agent, sent } = stage([{ text: 'never' }], {}, (engine) =>
    onModel(engine, async function* (e, next) {
      return yield* next({ ...e, messages: [{ role: 'user', content: 5 }] });
    }),
  );
  const result = await agent.submit('go');
  expect(result).toMatchObject({ status: 'error', error: { code: 'agent.bad-request' } });
  expect(result.reason).toContain('messages[0]');
  expect(sent).toHaveLength(0);
});

test('abort_turn ends the turn with an error and keeps the conversation whole', async () => {
  const { agent, cwd, sent } = stage(
    [{ toolCalls: [bash('touch one'), bash('touch two'), bash('touch three')] }, { text: 'again' }],
    {},
    (engine) =>
      engine.on('tool.call', { command: 'touch two' }, () => {
        throw new AbortTurn('guard', 'enough');
      }),
  );
  const result = await agent.submit('go');
  expect(result).toMatchObject({ status: 'error', reason: 'enough', hook: 'guard' });
  expect([existsSync(join(cwd, 'one')), existsSync(join(cwd, 'two')), existsSync(join(cwd, 'three'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await agent.submit('more')).text).toBe('again');
  const messages = sent[1]?.messages.slice(1) ?? [];
  expect(paired(messages)).toEqual(messages);
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
});

test('hard_abort takes the turn back and ends the agent', async () => {
  const { agent } = stage([{ text: 'first' }, { toolCalls: [bash('true')] }], {}, (engine) =>
    engine.on('tool.call', () => {
      throw new HardAbort('guard', 'stop it all');
    }),
  );
  await agent.submit('one');
  const before = [...agent.messages];
  expect(await agent.submit('two')).toMatchObject({
    status: 'aborted',
    reason: 'stop it all',
    hook: 'guard',
    text: '',
  });
  expect(agent.messages).toEqual(before);
  await expect(agent.submit('three')).rejects.toMatchObject({ code: 'agent.closed' });
});

test('a prompt that a hook drops becomes no turn', async () => {
  const started: string[] = [];
  const { agent, sent } = stage([{ text: 'never' }], {}, (engine) => {
    engine.on('prompt.submit', () => ({ drop: 'not today' }));
    engine.on('turn.start', (_$, e, next) => {
      started.push(e.text);
      return next(e);
    });
  });
  expect(await agent.submit('go')).toMatchObject({ status: 'aborted', reason: 'not today' });
  expect(sent).toHaveLength(0);
  expect(started).toEqual([]);
  expect(agent.messages).toEqual([]);
});

test('a hook rewrites a prompt and puts context beside it', async () => {
  const { agent, sent } = stage([{ text: 'ok' }], {}, (engine) =>
    engine.on('prompt.submit', (_$, e, next) => next({ ...e, text: e.text.toUpperCase(), context: ['it is Monday'] })),
  );
  await agent.submit('go');
  expect(sent[0]?.messages.at(-1)?.content).toBe('GO\n\nit is Monday');
});

test('a hook on session.append keeps a secret out of the conversation', async () => {
  const { agent, sent } = stage([{ toolCalls: [bash('echo hunter2')] }, { text: 'ok' }], {}, (engine) =>
    engine.on('session.append', (_$, e, next) => {
      const message = JSON.parse(JSON.stringify(e.message).replaceAll('hunter2', '[hidden]'));
      return next({ ...e, message });
    }),
  );
  await agent.submit('go');
  const result = sent[1]?.messages.at(-1);
  expect(result).toMatchObject({ role: 'tool', content: '[hidden]\n' });
});

test('a tool outside the profile runs never, and no hook can answer for it', async () => {
  const seen: unknown[] = [];
  const { agent, cwd, sent } = stage(
    [
      { toolCalls: [bash('touch x'), call('Read', { file_path: 'there' })] },
      { text: 'ok', expect: [{ in: 'messages', contains: 'Tool "Bash" is not allowed by the active turn profile.' }] },
    ],
    { allowedTools: ['Read', 'mcp__*'] },
    (engine) =>
      engine.on('tool.call', (_$, e, next) => {
        seen.push(e.tool);
        return next(e);
      }),
  );
  writeFileSync(join(cwd, 'there'), 'content');
  expect((await agent.submit('go')).status).toBe('completed');
  expect(existsSync(join(cwd, 'x'))).toBe(false);
  expect(seen).toEqual(['Read']);
  expect(sent[0]?.tools.map(({ name }) => name)).toEqual(['Read']);
});

test('a turn without an end is ended at the limit', async () => {
  const turns = Array.from({ length: 9 }, () => ({ toolCalls: [bash('true')] }));
  const { agent } = stage(turns, { maxIterations: 3 });
  expect(await agent.submit('go')).toMatchObject({
    status: 'error',
    iterations: 3,
    error: { code: 'agent.iterations' },
  });
});

test('an unmet script ends the turn and says so', async () => {
  const { agent } = stage([{ text: 'hi', expect: [{ in: 'lastUser', contains: 'goodbye' }] }]);
  expect(await agent.submit('hello')).toMatchObject({ status: 'error', error: { code: 'agent.script-unmet' } });
});

test('what the model reads of a result is bounded', async () => {
  const { agent, sent } = stage([{ toolCalls: [bash('yes | head -c 20000')] }, { text: 'ok' }], {
    maxResultChars: 1_000,
  });
  await agent.submit('go');
  expect(sent[1]?.messages.at(-1)?.content.length).toBeLessThan(1_100);
});

test('calls of tools that only read may run side by side, and their results keep their order', async () => {
  let meet: () => void = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const { agent, cwd, sent } = stage(
    [
      { toolCalls: [call('Read', { file_path: 'a' }), call('Read', { file_path: 'b' }), bash('echo c')] },
      { text: 'ok' },
    ],
    { parallelTools: true },
    (engine) => {
      // The first call ends only once the second has begun.
      engine.on('tool.call', { file_path: 'a' }, async (_$, e, next) => {
        await met;
        return next(e);
      });
      engine.on('tool.call', { file_path: 'b' }, (_$, e, next) => {
        meet();
        return next(e);
      });
    },
  );
  writeFileSync(join(cwd, 'a'), 'A');
  writeFileSync(join(cwd, 'b'), 'B');
  await agent.submit('go');
  expect(sent[1]?.messages.slice(-3).map(({ content }) => content.trim().slice(-1))).toEqual(['A', 'B', 'c']);
});
