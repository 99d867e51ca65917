import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AbortTurn, type Dollar } from '@trotline/engine';
import { expect, test } from 'vitest';
import { bash, call, type Stage, stage, type Turns } from '../support/agent.ts';

/** Runs something inside a hook, with its `$`, when the command `ask` is about to run. */
function asking(turns: Turns, ask: ($: Dollar, stage: Stage) => Promise<unknown>): Stage & { answers: unknown[] } {
  const answers: unknown[] = [];
  const made: Stage = stage(turns, {}, (engine) =>
    engine.on('tool.call', { command: 'ask' }, async ($, e, next) => {
      answers.push(await ask($, made));
      return next({ ...e, command: 'true' });
    }),
  );
  return { ...made, answers };
}

test('what a hook asks of the session is what the agent has', async () => {
  const { agent, answers } = asking(
    [{ toolCalls: [bash('echo hi')] }, { toolCalls: [bash('ask')] }, { text: 'ok' }],
    async ($) => [
      await $.session.id(),
      await $.session.turns(),
      await $.session.messages(),
      (await $.tool.list()).map(({ name }) => name),
    ],
  );
  await agent.submit('go');
  const [id, turns, messages, tools] = answers[0] as unknown[];
  expect(id).toBe(agent.sessionId);
  expect(turns).toBe(1);
  expect(messages).toMatchObject([
    { role: 'user', text: 'go' },
    { role: 'assistant', toolUses: [{ tool: 'Bash', input: { command: 'echo hi' }, text: 'hi\n' }] },
    { role: 'user', toolResults: [{ text: 'hi\n', isError: false }] },
    { role: 'assistant', toolUses: [{ input: { command: 'ask' } }] },
  ]);
  expect(tools).toContain('Bash');
});

test('a hook completes a prompt beside the conversation, and a failure of the model is an answer', async () => {
  const { agent, answers, sent } = asking(
    [
      { toolCalls: [bash('ask')] },
      { text: 'forty-two', expect: [{ in: 'system', contains: 'brief' }] },
      { text: '', expect: [{ in: 'lastUser', contains: 'more?' }] },
      { text: 'ok', expect: [{ in: 'messages', absent: 'forty-two' }] },
    ],
    async ($) => [
      await $.model.complete({ prompt: 'how many?', system: 'be brief', model: 'inherit' }),
      await $.model.complete({ prompt: 'more?', model: 'inherit' }),
      await $.model.complete({ prompt: 'x', model: 'inherit', maxTokens: 1e9 }).catch((error: Error) => error.message),
    ],
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(answers[0]).toMatchObject([
    { isAnswered: true, text: 'forty-two' },
    { isAnswered: false, reason: 'empty-reply' },
    expect.stringContaining('maxTokens'),
  ]);
  expect(sent[1]?.options).toEqual({ max_tokens: 1024 });
});

test('a hook asks over the conversation, and classifies', async () => {
  const { agent, answers } = asking(
    [
      { toolCalls: [bash('ask')] },
      { text: 'forked', expect: [{ in: 'messages', contains: 'go' }] },
      { text: ' Spam\n' },
      { text: 'neither' },
      { text: 'ok' },
    ],
    async ($) => [
      await $.model.fork({ prompt: 'and?' }),
      await $.model.classify('buy!', ['ham', 'spam']),
      await $.model.classify('buy!', ['ham', 'spam']),
    ],
  );
  await agent.submit('go');
  expect(answers[0]).toMatchObject([{ text: 'forked' }, 'spam', undefined]);
});

test('a hook runs a tool of the agent, past the hooks of others', async () => {
  const { agent, engine, answers } = asking([{ toolCalls: [bash('ask')] }, { text: 'ok' }], async ($) => [
    await $.tool.call({ tool: 'Bash', command: 'echo from a hook' }),
    await $.tool.call({ tool: 'Bash', command: 'echo forbidden' }),
  ]);
  engine.on('tool.call', { command: 'echo forbidden' }, () => ({ deny: 'not even from a hook' }));
  await agent.submit('go');
  expect(answers[0]).toMatchObject([{ text: 'from a hook\n' }, { deny: 'not even from a hook' }]);
});

test('a tool outside the profile is out of a hook’s reach too', async () => {
  const refused: unknown[] = [];
  const { agent } = stage(
    [{ toolCalls: [call('Read', { file_path: 'nothing' })] }, { text: 'ok' }],
    { allowedTools: ['Read'] },
    (engine) =>
      engine.on('tool.call', { tool: 'Read' }, async ($, e, next) => {
        refused.push(await $.tool.call({ tool: 'Bash', command: 'true' }).catch((error: Error) => error.message));
        return next(e);
      }),
  );
  await agent.submit('go');
  expect(refused).toEqual([expect.stringContaining('Bash')]);
});

test('a hook aborts the turn that runs, and no other', async () => {
  const { agent, answers } = asking([{ toolCalls: [bash('ask')] }], async ($, { agent }) => {
    const refusal = await $.turn.abort({ turnId: 'another' }).catch((error: Error) => error.message);
    await $.turn.abort({ turnId: agent.runningTurnId ?? '' });
    return refusal;
  });
  expect(await agent.submit('go')).toMatchObject({ status: 'aborted', reason: 'a hook aborted the turn' });
  expect(answers).toEqual([expect.stringContaining('not running')]);
});

test('a hook submits a prompt of its own: its turn runs after the one that runs now', async () => {
  const ended: unknown[] = [];
  let submitted = false;
  const { agent, cwd } = stage(
    [{ text: 'first answer' }, { toolCalls: [bash('touch own')] }, { text: 'own answer' }],
    { ownTurn: ({ text, by }) => ({ onEnd: ({ status, text: answer }) => ended.push([text, by, status, answer]) }) },
    (engine) =>
      engine.on('turn.complete', async ($, e, next) => {
        const done = await next(e);
        if (!submitted) {
          submitted = true;
          expect(await $.prompt.submit({ text: 'go on' })).toEqual({ text: 'go on' });
        }
        return done;
      }),
  );
  expect((await agent.submit('go')).text).toBe('first answer');
  await agent.idle();
  expect(existsSync(join(cwd, 'own'))).toBe(true);
  expect(ended).toEqual([['go on', 'program', 'completed', 'own answer']]);
  expect(agent.messages.map(({ content }) => content)).toEqual([
    'go',
    'first answer',
    'go on',
    '',
    '(no output)',
    'own answer',
  ]);
});

test('a prompt of a hook meets the other hooks, and one that is dropped becomes no turn', async () => {
  const { agent, answers, engine } = asking([{ toolCalls: [bash('ask')] }, { text: 'ok' }], ($) =>
    $.prompt.submit({ text: 'do harm' }),
  );
  engine.on('prompt.submit', (_$, e, next) => (e.text === 'do harm' ? { drop: 'no' } : next(e)));
  await agent.submit('go');
  await agent.idle();
  expect(answers).toEqual([{ drop: 'no' }]);
  expect(agent.messages).toHaveLength(4);
});

test('a note that a hook writes between a call and its result waits for the result', async () => {
  const { agent, sent } = asking([{ toolCalls: [bash('ask'), bash('true')] }, { text: 'ok' }], ($) =>
    $.session.append({ message: { type: 'user', content: [{ type: 'text', text: 'noted' }] } }),
  );
  await agent.submit('go');
  expect(sent[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
  expect(sent[1]?.messages.at(-1)?.content).toBe('noted');
});

test('a hook shortens the conversation once the turn is over, and not while it runs', async () => {
  let compacted: unknown;
  const { agent, answers } = asking(
    [{ toolCalls: [bash('ask')] }, { text: 'ok' }, { text: 'SUMMARY' }, { text: 'after' }],
    async ($) => {
      setTimeout(async () => {
        await agent.idle();
        compacted = await $.session.compact({}).catch((error: Error) => error.message);
      });
      return $.session.compact({}).catch((error: Error) => error.message);
    },
  );
  await agent.submit('go');
  expect(answers).toEqual([expect.stringContaining('a turn is running')]);
  while (compacted === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(compacted).toMatchObject({ tokensAfter: expect.any(Number) });
  expect(agent.messages[0]?.content).toContain('SUMMARY');
});

test('a hook that ends the session before it starts closes the agent, with its reason', async () => {
  const { agent } = stage([], {}, (engine) =>
    engine.on('session.start', () => {
      throw new AbortTurn('guard', 'not on this machine');
    }),
  );
  await expect(agent.submit('go')).rejects.toMatchObject({ code: 'agent.closed' });
  await expect(agent.submit('go')).rejects.toThrow('not on this machine');
});
