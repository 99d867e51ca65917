import type { Dollar } from '@trotline/engine';
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
