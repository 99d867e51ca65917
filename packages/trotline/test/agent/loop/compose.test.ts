import type { Engine } from '@trotline/engine';
import { expect, test } from 'vitest';
import { bash, stage } from '../support/agent.ts';
import { memoryStore } from '../support/store.ts';

test('a hook rewrites a section of the system prompt, leaves one out and adds its own', async () => {
  const { agent, sent } = stage([{ text: 'ok' }], { system: ['SECRET PLAN'] }, (engine) => {
    engine.on('prompt.section', { name: 'intro' }, (_$, e, next) =>
      next({ ...e, text: `${e.text}\nSpeak like a sailor.` }),
    );
    engine.on('prompt.section', { name: 'instructions' }, () => ({ text: null }));
    engine.on('prompt.compose', async (_$, e, next) => {
      const { sections } = await next(e);
      return {
        sections: [...sections, { id: 'goals:open', text: `Goal: ship. Tools: ${e.tools.length}`, scope: 'session' }],
      };
    });
  });
  await agent.submit('go');
  const system = sent[0]?.messages[0]?.content ?? '';
  expect(system).toContain('Speak like a sailor.');
  expect(system).toContain('Goal: ship. Tools: 7');
  expect(system).toContain('Working directory:');
  expect(system).not.toContain('SECRET PLAN');
});

test('sections that break their order count for nothing, and the prompt goes out as it was', async () => {
  const { agent, sent } = stage([{ text: 'ok' }], {}, (engine) =>
    engine.on('prompt.compose', () => ({ sections: [{ id: '', text: 'hijacked', scope: 'shared' }] })),
  );
  expect((await agent.submit('go')).text).toBe('ok');
  expect(sent[0]?.messages[0]?.content).toContain('Working directory:');
});

const counting = (engine: Engine, counted: string[]): void => {
  engine.on('prompt.section', { name: 'intro' }, (_$, e, next) => {
    counted.push(e.name);
    return next({ ...e, text: `rendering ${counted.length}` });
  });
};

test('a section is rendered once, and again after a hook says that it changed', async () => {
  const counted: string[] = [];
  const { agent, sent } = stage([{ text: '1' }, { text: '2' }, { text: '3' }], {}, (engine) => {
    counting(engine, counted);
    engine.on('turn.complete', ($, e, next) => {
      if (e.answer === '2') $.ui.invalidate('prompt.section');
      return next(e);
    });
  });
  for (const prompt of ['a', 'b', 'c']) await agent.submit(prompt);
  expect(sent.map(({ messages }) => messages[0]?.content.split('\n')[0])).toEqual([
    'rendering 1',
    'rendering 1',
    'rendering 2',
  ]);
});

test('a hook may ask for the sections as they are', async () => {
  let seen: readonly { readonly id: string }[] = [];
  const { agent } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }], {}, (engine) =>
    engine.on('tool.call', async ($, e, next) => {
      seen = (await $.prompt.compose({})).sections;
      return next(e);
    }),
  );
  await agent.submit('go');
  expect(seen.map(({ id }) => id)).toEqual(['intro', 'environment']);
});

test('context that a hook sends goes with the first message, once, and is part of the session', async () => {
  const sessions = memoryStore();
  const seat = (engine: Engine): void =>
    void engine.on('prompt.context', async (_$, e, next) => {
      const { blocks } = await next(e);
      const instructionFiles = [{ path: '/p/AGENTS.md', kind: 'project' as const, content: 'Use tabs.' }];
      return { blocks: [...blocks, { name: 'branch', text: 'main' }], instructionFiles };
    });
  const options = { sessions, sessionId: 's1' };
  const first = stage([{ text: '1' }, { text: '2' }], options, seat);
  await first.agent.submit('hello');
  await first.agent.submit('again');
  expect(first.sent[0]?.messages[1]?.content).toBe('hello\n\nbranch:\nmain\n\n/p/AGENTS.md:\nUse tabs.');
  expect(first.sent[1]?.messages.at(-1)?.content).toBe('again');
  const next = stage([{ text: '3' }], options, seat);
  await next.agent.submit('later');
  expect(next.sent[0]?.messages[1]?.content).toContain('branch:\nmain');
  expect(next.sent[0]?.messages.at(-1)?.content).toBe('later');
});

test('what the agent adds when it is told to stop can be reworded, or left out', async () => {
  for (const [text, last] of [
    ['Stop, please.', 'Stop, please.'],
    [null, '(no output)'],
  ] as const) {
    const { agent, sent } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }], {}, (engine) => {
      engine.on('tool.call', (_$, e, next) => {
        agent.interrupt('graceful');
        return next(e);
      });
      engine.on('prompt.attachment', () => ({ text }));
    });
    await agent.submit('go');
    expect(sent[1]?.messages.at(-1)?.content).toBe(last);
  }
});

test('a hook is told how full the window is after each turn that changed it', async () => {
  const measured: { tokens?: number | undefined }[] = [];
  const { agent } = stage([{ text: 'one' }, { text: 'two' }], {}, (engine) => {
    engine.on('session.measure', (_$, e, next) => {
      measured.push(e.context);
      return next(e);
    });
    engine.on('prompt.submit', (_$, e, next) => (e.text === 'dropped' ? { drop: 'no' } : next(e)));
  });
  await agent.submit('a');
  await agent.submit('dropped');
  await agent.submit('b');
  expect(measured).toHaveLength(2);
  expect(measured[0]).toMatchObject({ window: 200_000, percent: expect.any(Number) });
  expect(measured[1]?.tokens).toBeGreaterThan(measured[0]?.tokens ?? Infinity);
});
