import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AbortTurn, type Dollar, type Engine, HardAbort } from '@trotline/engine';
import { expect, test } from 'vitest';
import { bash, call, stage } from '../support/agent.ts';

/** A hook that does something of its own once a turn of the person is over. */
const afterwards = (engine: Engine, work: ($: Dollar) => Promise<void>): void => {
  let done = false;
  engine.on('turn.complete', async ($, e, next) => {
    const result = await next(e);
    if (!done && e.agentId === undefined) {
      done = true;
      await work($);
    }
    return result;
  });
};

test('a hook starts a subagent of its own: it works beside the turns, on the same line, and is listed', async () => {
  const seen: unknown[] = [];
  const reports: unknown[] = [];
  let started: unknown;
  let listed: readonly unknown[] = [];
  const { agent, cwd } = stage(
    [
      { text: 'done' },
      { toolCalls: [bash('touch looked')], expect: [{ in: 'lastUser', contains: 'look around' }] },
      { text: 'All is well.' },
    ],
    {},
    (engine) => {
      afterwards(engine, async ($) => {
        started = await $.agent.spawn({ prompt: 'look around', description: 'a look', name: 'scout' });
        listed = await $.agent.list();
      });
      engine.on('tool.call', (_$, e, next) => {
        seen.push(e.agentId);
        return next(e);
      });
      engine.on('turn.complete', { agentId: /./ }, (_$, e, next) => {
        reports.push(e.answer);
        return next(e);
      });
    },
  );
  expect((await agent.submit('go')).text).toBe('done');
  await agent.idle();
  expect(started).toEqual({ model: agent.model.id, agentId: expect.stringMatching(/^agent-/) });
  const { agentId } = started as { agentId: string };
  expect(listed).toEqual([
    {
      id: agentId,
      description: 'a look',
      type: 'general-purpose',
      status: 'running',
      name: 'scout',
      spawnedBy: 'program',
    },
  ]);
  expect(existsSync(join(cwd, 'looked'))).toBe(true);
  expect(seen).toEqual([agentId]);
  expect(reports).toEqual(['All is well.']);
  expect(agent.messages).toHaveLength(2);
});

test('the subagents of a session are listed with what became of them', async () => {
  let listed: readonly unknown[] = [];
  const task = (prompt: string): ReturnType<typeof call> => call('Agent', { description: prompt, prompt });
  const { agent } = stage(
    [{ toolCalls: [task('good'), task('bad')] }, { text: 'fine' }, { toolCalls: [bash('true')] }, { text: 'ok' }],
    {},
    (engine) => {
      afterwards(engine, async ($) => {
        listed = await $.agent.list();
      });
      engine.on('tool.call', { tool: 'Bash' }, () => {
        throw new AbortTurn('guard', 'not this one');
      });
    },
  );
  await agent.submit('go');
  expect(listed).toMatchObject([
    { description: 'good', status: 'completed' },
    { description: 'bad', status: 'failed' },
  ]);
});

test('a kind that there is not, and a folder that is not the agent’s, are refused', async () => {
  const answers: unknown[] = [];
  const { agent } = stage([{ text: 'done' }], {}, (engine) =>
    afterwards(engine, async ($) => {
      answers.push(await $.agent.spawn({ prompt: 'x', subagentType: 'none' }));
      answers.push(await $.agent.spawn({ prompt: 'x', cwd: '/elsewhere' }));
      answers.push(await $.agent.list());
    }),
  );
  await agent.submit('go');
  expect(answers).toEqual([
    { deny: expect.stringContaining('There is no subagent "none"') },
    { deny: expect.stringContaining('/elsewhere') },
    [],
  ]);
});

test('a hook on agent.spawn decides about the subagents of other hooks too', async () => {
  let answer: unknown;
  const { agent, engine, sent } = stage([{ text: 'done' }], {}, (line) =>
    afterwards(line, async ($) => {
      answer = await $.agent.spawn({ prompt: 'do harm' });
    }),
  );
  engine.on('agent.spawn', (_$, e, next) => (e.prompt === 'do harm' ? { deny: 'no' } : next(e)));
  await agent.submit('go');
  await agent.idle();
  expect(answer).toEqual({ deny: 'no' });
  expect(sent).toHaveLength(1);
});

test('a hook sends the model’s own subagent into the background: the turn goes on at once', async () => {
  const { agent, cwd } = stage(
    [{ toolCalls: [call('Agent', { description: 'slow', prompt: 'work' })] }, { text: 'a' }, { text: 'b' }],
    {},
    (engine) => engine.on('agent.spawn', (_$, e, next) => next({ ...e, background: true })),
  );
  await agent.submit('go');
  await agent.idle();
  const result = agent.messages.find(({ role }) => role === 'tool');
  expect(result?.content).toMatch(/^The subagent agent-\w+ works in the background\.$/);
  expect(existsSync(cwd)).toBe(true);
});

test('closing the agent ends what its subagents run beside it', async () => {
  const { agent, cwd } = stage(
    [{ text: 'done' }, { toolCalls: [bash('touch began; sleep 300; touch late')] }],
    {},
    (engine) =>
      afterwards(engine, async ($) => {
        await $.agent.spawn({ prompt: 'work' });
      }),
  );
  await agent.submit('go');
  while (!existsSync(join(cwd, 'began'))) await new Promise((resolve) => setTimeout(resolve, 10));
  await agent.close();
  expect(existsSync(join(cwd, 'late'))).toBe(false);
});

test('a hard abort of a subagent beside the turns closes the agent, with its reason', async () => {
  const { agent } = stage([{ text: 'done' }, { toolCalls: [bash('true')] }], {}, (engine) => {
    afterwards(engine, async ($) => {
      await $.agent.spawn({ prompt: 'work' });
    });
    engine.on('tool.call', () => {
      throw new HardAbort('guard', 'everything stops');
    });
  });
  await agent.submit('go');
  await agent.idle();
  await expect(agent.submit('again')).rejects.toThrow('everything stops');
});

test('a kind that a hook takes back after it was listed is refused when it is asked for', async () => {
  let asked = 0;
  const { agent, sent } = stage(
    [
      { toolCalls: [call('Agent', { description: 'a', prompt: 'x' })] },
      { text: 'ok', expect: [{ in: 'lastToolResult', contains: 'There is no subagent "general-purpose"' }] },
    ],
    {},
    (engine) =>
      engine.on('agent.offer', { agent: 'general-purpose' }, (_$, e, next) =>
        asked++ > 0 ? { isOffered: false } : next(e),
      ),
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(sent).toHaveLength(2);
});
