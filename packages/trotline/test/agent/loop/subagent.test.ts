import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AbortTurn, HardAbort } from '@trotline/engine';
import { expect, test } from 'vitest';
import { bash, call, stage } from '../support/agent.ts';

const spawn = (prompt: string, more: object = {}): ReturnType<typeof call> =>
  call('Agent', { description: 'a task', prompt, ...more });

test('a subagent works on the same line and its report is the result', async () => {
  const seen: unknown[] = [];
  const { agent, cwd, sent, notices } = stage(
    [
      { toolCalls: [spawn('make the file')] },
      {
        toolCalls: [bash('touch made; touch denied')],
        expect: [
          { in: 'lastUser', contains: 'make the file' },
          { in: 'messages', absent: 'go' },
        ],
      },
      { text: 'It was denied.', expect: [{ in: 'lastToolResult', contains: 'guarded' }] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'It was denied.' }] },
    ],
    {},
    (engine) =>
      engine.on('tool.call', { tool: 'Bash' }, (_$, e) => {
        seen.push(e.agentId);
        return { deny: 'guarded' };
      }),
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(existsSync(join(cwd, 'made'))).toBe(false);
  expect(seen).toEqual([expect.stringMatching(/^agent-/)]);
  expect(sent).toHaveLength(4);
  expect(agent.messages).toHaveLength(4);
  const names = notices.filter(({ name }) => name.startsWith('agent.')).map(({ name }) => name);
  expect(names).toEqual(['agent.started', 'agent.ended', 'agent.delivered']);
});

test('a fork knows the conversation; its own steps stay with it', async () => {
  const { agent } = stage([
    { text: 'My name is known.' },
    { toolCalls: [spawn('who am I?', { subagent_type: 'fork' })] },
    { text: 'You are Ana.', expect: [{ in: 'messages', contains: 'I am Ana' }] },
    {
      text: 'Ana.',
      expect: [
        { in: 'lastToolResult', contains: 'You are Ana.' },
        { in: 'messages', absent: 'who am I?\n' },
      ],
    },
  ]);
  await agent.submit('I am Ana');
  expect((await agent.submit('ask a fork')).text).toBe('Ana.');
});

test('a hook sends a subagent to another model, or refuses it', async () => {
  const seen: unknown[] = [];
  const { agent, sent } = stage(
    [
      { toolCalls: [spawn('one'), spawn('two', { model: 'given' })] },
      { text: 'first report' },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'not two' }] },
    ],
    {},
    (engine) =>
      engine.on('agent.spawn', (_$, e, next) => {
        seen.push([e['subagentType'], e['model'], e['fork']]);
        return e['prompt'] === 'two' ? { deny: 'not two' } : next({ ...e, model: 'cheaper' });
      }),
  );
  await agent.submit('go');
  expect(seen).toEqual([
    ['general-purpose', undefined, false],
    ['general-purpose', 'given', false],
  ]);
  expect(sent[1]?.model).toBe('cheaper');
  expect(sent[2]?.model).not.toBe('cheaper');
});

test('a subagent gets only the tools of its kind, and never more than whoever starts it', async () => {
  const { agent, cwd, sent } = stage(
    [
      { toolCalls: [spawn('look', { subagent_type: 'reader' })] },
      { toolCalls: [bash('touch x'), call('Write', { file_path: 'y', content: '' })] },
      { text: 'could not' },
      { text: 'ok' },
    ],
    {
      allowedTools: ['Agent', 'Read', 'Bash'],
      subagents: { reader: { description: 'reads', tools: ['Read', 'Write'] } },
    },
  );
  await agent.submit('go');
  expect(sent[1]?.tools.map(({ name }) => name)).toEqual(['Read']);
  expect(existsSync(join(cwd, 'x'))).toBe(false);
  expect(existsSync(join(cwd, 'y'))).toBe(false);
});

test('a kind that a hook does not offer cannot be started', async () => {
  const { agent, sent } = stage(
    [
      { toolCalls: [spawn('x', { subagent_type: 'fork' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'no subagent "fork"' }] },
    ],
    {},
    (engine) => engine.on('agent.offer', { agent: 'fork' }, () => ({ isOffered: false })),
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(sent[0]?.tools.find(({ name }) => name === 'Agent')?.description).not.toContain('fork');
});

test('subagents nest three deep and no deeper', async () => {
  const { agent, sent } = stage([
    { toolCalls: [spawn('1')] },
    { toolCalls: [spawn('2')] },
    { toolCalls: [spawn('3')] },
    { text: 'deepest' },
    { text: 'b' },
    { text: 'a' },
    { text: 'ok' },
  ]);
  expect((await agent.submit('go')).text).toBe('ok');
  expect(sent.map(({ tools }) => tools.some(({ name }) => name === 'Agent'))).toEqual([
    true,
    true,
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('abort_turn in a subagent ends the subagent alone', async () => {
  const { agent } = stage(
    [
      { toolCalls: [spawn('x')] },
      { toolCalls: [bash('true')] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'enough of this' }] },
    ],
    {},
    (engine) =>
      engine.on('tool.call', { tool: 'Bash' }, () => {
        throw new AbortTurn('guard', 'enough of this');
      }),
  );
  expect(await agent.submit('go')).toMatchObject({ status: 'completed', text: 'ok' });
});

test('hard_abort in a subagent ends the whole agent and takes its turn back', async () => {
  const { agent } = stage([{ toolCalls: [spawn('x')] }, { toolCalls: [bash('true')] }], {}, (engine) =>
    engine.on('tool.call', { tool: 'Bash' }, () => {
      throw new HardAbort('guard', 'stop');
    }),
  );
  expect(await agent.submit('go')).toMatchObject({ status: 'aborted', hook: 'guard' });
  expect(agent.messages).toEqual([]);
  await expect(agent.submit('more')).rejects.toMatchObject({ code: 'agent.closed' });
});

test('a script that is not met inside a subagent is not met', async () => {
  const { agent } = stage([
    { toolCalls: [spawn('x')] },
    { text: 'y', expect: [{ in: 'lastUser', contains: 'z' }] },
    { text: 'ok' },
  ]);
  expect(await agent.submit('go')).toMatchObject({ status: 'error', error: { code: 'agent.script-unmet' } });
});

test('an interrupt reaches the command of a subagent', async () => {
  const { agent, cwd } = stage([{ toolCalls: [spawn('x')] }, { toolCalls: [bash('touch ready; sleep 60')] }]);
  const running = agent.submit('go');
  while (!existsSync(join(cwd, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
  agent.interrupt('now', 'enough');
  expect(await running).toMatchObject({ status: 'aborted', reason: 'enough' });
});
