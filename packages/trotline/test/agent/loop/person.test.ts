import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '@trotline/engine';
import { expect, test } from 'vitest';
import { paired } from '../../../src/agent/loop/pairs.ts';
import { bash, type Stage, stage } from '../support/agent.ts';

/** Does something at the moment when a command is about to run. */
const at =
  (command: string, act: () => unknown) =>
  (engine: Engine): void => {
    engine.on('tool.call', { command }, async (_$, e, next) => {
      await act();
      return next(e);
    });
  };

const results = (stage: Stage): string[] =>
  stage.agent.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

test('a message while it works is read next, and the calls that are left are skipped', async () => {
  const made: Stage = stage(
    [
      { toolCalls: [bash('touch one'), bash('touch two'), bash('touch three')] },
      { text: 'As you wish.', expect: [{ in: 'lastUser', contains: 'stop at two' }] },
    ],
    {},
    at('touch two', () => made.agent.steer('stop at two')),
  );
  const result = await made.agent.submit('go');
  expect(result).toMatchObject({ status: 'completed', text: 'As you wish.' });
  expect(existsSync(join(made.cwd, 'two'))).toBe(true);
  expect(existsSync(join(made.cwd, 'three'))).toBe(false);
  expect(results(made)[2]).toBe('Skipped due to queued user message.');
  expect(made.notices.find(({ name }) => name === 'tool.skipped')?.data).toMatchObject({
    reason: 'queued user steering message',
  });
  expect(made.notices.find(({ name }) => name === 'steering.injected')?.data).toMatchObject({ count: 1 });
});

test('a message that comes during the last answer is answered in the same turn', async () => {
  const made: Stage = stage([
    { text: 'The first answer.' },
    { text: 'The second.', expect: [{ in: 'lastUser', contains: 'and?' }] },
  ]);
  let steered: Promise<unknown> | undefined;
  const result = await made.agent.submit('go', {
    onChunk: () => {
      steered ??= made.agent.steer('and?');
    },
  });
  expect(result).toMatchObject({ text: 'The second.', iterations: 2 });
  expect(await steered).toBe('queued');
});

test('when nothing runs there is nothing to steer or to interrupt', async () => {
  const { agent } = stage([]);
  expect(await agent.steer('hello')).toBe('idle');
  expect(agent.interrupt('now')).toBe(false);
});

test('a graceful interrupt skips what is left and asks once more, without tools', async () => {
  const made: Stage = stage(
    [
      { toolCalls: [bash('touch one'), bash('touch two')] },
      { text: 'One was made.', toolCalls: [bash('touch three')], expect: [{ in: 'tools', matches: '^\\[\\]$' }] },
    ],
    {},
    at('touch one', () => made.agent.interrupt('graceful')),
  );
  const result = await made.agent.submit('go');
  expect(result).toMatchObject({ status: 'completed', text: 'One was made.', reason: 'graceful interrupt' });
  expect(['one', 'two', 'three'].map((name) => existsSync(join(made.cwd, name)))).toEqual([true, false, false]);
  expect(results(made)[1]).toBe('Skipped due to graceful interrupt.');
  expect(made.agent.messages.at(-1)).toEqual({ role: 'assistant', content: 'One was made.' });
});

test('an interrupt ends the command that runs, and the conversation can go on', async () => {
  const made: Stage = stage([
    { toolCalls: [bash('echo $$ > pid; touch ready; sleep 60'), bash('touch never')] },
    { text: 'Still here.' },
  ]);
  const running = made.agent.submit('go');
  while (!existsSync(join(made.cwd, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(made.agent.interrupt('now', 'enough')).toBe(true);
  expect(await running).toMatchObject({ status: 'aborted', reason: 'enough' });
  const pid = Number(readFileSync(join(made.cwd, 'pid'), 'utf8'));
  const lives = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (lives()) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(existsSync(join(made.cwd, 'never'))).toBe(false);
  expect(paired(made.agent.messages)).toEqual(made.agent.messages);
  expect((await made.agent.submit('more')).text).toBe('Still here.');
});

test('a signal of the caller ends the turn as an interrupt does', async () => {
  const abort = new AbortController();
  const made: Stage = stage([{ toolCalls: [bash('touch never')] }], {}, (engine) =>
    engine.on('tool.call', (_$, e, next) => {
      abort.abort(new Error('the caller left'));
      return next(e);
    }),
  );
  expect(await made.agent.submit('go', { signal: abort.signal })).toMatchObject({
    status: 'aborted',
    reason: 'the caller left',
  });
  expect(existsSync(join(made.cwd, 'never'))).toBe(false);
});

test('a question aside knows the conversation, has no tools, and is not kept', async () => {
  const made = stage([
    { text: 'The first answer.' },
    {
      text: 'Aside.',
      expect: [
        { in: 'messages', contains: 'The first answer.' },
        { in: 'tools', matches: '^\\[\\]$' },
      ],
    },
    { text: 'The next.', expect: [{ in: 'messages', absent: 'Aside' }] },
  ]);
  await made.agent.submit('go');
  expect(await made.agent.ask('by the way?')).toBe('Aside.');
  expect((await made.agent.submit('on')).text).toBe('The next.');
});

test('a question aside may be put while a tool runs', async () => {
  let aside: string | undefined;
  const made: Stage = stage(
    [
      { toolCalls: [bash('true')] },
      { text: 'Aside.' },
      { text: 'Done.', expect: [{ in: 'messages', absent: 'Aside' }] },
    ],
    {},
    at('true', async () => {
      aside = await made.agent.ask('by the way?');
    }),
  );
  expect((await made.agent.submit('go')).text).toBe('Done.');
  expect(aside).toBe('Aside.');
});

test('closing ends what runs, and nothing can be submitted afterwards', async () => {
  const made: Stage = stage([{ toolCalls: [bash('touch ready; sleep 60')] }]);
  const running = made.agent.submit('go');
  while (!existsSync(join(made.cwd, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
  await made.agent.close();
  expect((await running).status).toBe('aborted');
  await expect(made.agent.submit('more')).rejects.toMatchObject({ code: 'agent.closed' });
});
