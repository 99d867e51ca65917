import { expect, test } from 'vitest';
import { createAgentOps } from '../../../src/agent/loop/ops.ts';
import { bash, type Stage, stage, type Turns } from '../support/agent.ts';

function bound(turns: Turns): Stage & { op: (name: string, e?: object) => Promise<unknown> } {
  const { ops, bind } = createAgentOps();
  const made = stage(turns);
  bind(made.agent);
  const context = { signal: new AbortController().signal, origin: { plugin: 'a-mod', tier: 'user' as const } };
  return { ...made, op: async (name, e = {}) => ops[name]?.(e as never, context) };
}

test('what a hook asks of the session is what the agent has', async () => {
  const { agent, op } = bound([{ toolCalls: [bash('echo hi')] }, { text: 'ok' }]);
  await agent.submit('go');
  expect(await op('session.id')).toBe(agent.sessionId);
  expect(await op('session.turns')).toBe(1);
  expect(await op('session.messages')).toMatchObject([
    { role: 'user', text: 'go' },
    { role: 'assistant', toolUses: [{ tool: 'Bash', input: { command: 'echo hi' }, text: 'hi\n' }] },
    { role: 'user', toolResults: [{ text: 'hi\n', isError: false }] },
    { role: 'assistant', text: 'ok' },
  ]);
  expect(await op('tool.list')).toContainEqual(expect.objectContaining({ name: 'Bash', mcp: false }));
});

test('before a session has begun there is nothing to ask', () => {
  const { ops } = createAgentOps();
  expect(() =>
    ops['session.id']?.({}, { signal: new AbortController().signal, origin: { plugin: 'p', tier: 'user' } }),
  ).toThrow('no session');
});

test('a hook completes a prompt beside the conversation, and a failure of the model is an answer', async () => {
  const { op, agent, sent } = bound([{ text: 'forty-two', expect: [{ in: 'system', contains: 'brief' }] }]);
  expect(await op('model.complete', { prompt: 'how many?', system: 'be brief', model: 'inherit' })).toMatchObject({
    isAnswered: true,
    text: 'forty-two',
  });
  expect(sent[0]?.options).toEqual({ max_tokens: 1024 });
  expect(await op('model.complete', { prompt: 'more?', model: 'inherit' })).toMatchObject({
    isAnswered: false,
    reason: 'api-error',
  });
  expect(agent.messages).toEqual([]);
  await expect(op('model.complete', { prompt: 'x', model: 'inherit', maxTokens: 1e9 })).rejects.toThrow('maxTokens');
});

test('a hook asks over the conversation, and classifies', async () => {
  const { op, agent } = bound([
    { text: 'ok' },
    { text: 'forked', expect: [{ in: 'messages', contains: 'go' }] },
    { text: ' Spam\n' },
    { text: 'neither' },
  ]);
  expect(await op('model.fork', { prompt: 'x' })).toMatchObject({ isAnswered: false, reason: 'nothing-to-fork' });
  await agent.submit('go');
  expect(await op('model.fork', { prompt: 'and?' })).toMatchObject({ text: 'forked' });
  expect(await op('model.classify', { text: 'buy!', labels: ['ham', 'spam'] })).toBe('spam');
  expect(await op('model.classify', { text: 'buy!', labels: ['ham', 'spam'] })).toBeUndefined();
});

test('a hook aborts the turn that runs, and no other', async () => {
  const made: { op?: (name: string, e?: object) => Promise<unknown> } = {};
  const { ops, bind } = createAgentOps();
  const context = { signal: new AbortController().signal, origin: { plugin: 'a-mod', tier: 'user' as const } };
  const { agent } = stage([{ toolCalls: [bash('true')] }], {}, (engine) =>
    engine.on('tool.call', async (_$, e, next) => {
      await expect(made.op?.('turn.abort', { turnId: 'another' })).rejects.toThrow('not running');
      await made.op?.('turn.abort', { turnId: agent.runningTurnId });
      return next(e);
    }),
  );
  bind(agent);
  made.op = async (name, e = {}) => ops[name]?.(e as never, context);
  expect(await agent.submit('go')).toMatchObject({ status: 'aborted', reason: 'a hook aborted the turn' });
});
