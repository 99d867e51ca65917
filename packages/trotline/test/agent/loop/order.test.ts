import { expect, test } from 'vitest';
import { bash, onModel, stage } from '../support/agent.ts';

const plain = [
  'session.start',
  'prompt.submit',
  'turn.start',
  'turn.iteration',
  'tool.call',
  'session.append',
  'turn.complete',
  'session.end',
] as const;

test('one turn raises its events in the order that hooks rely on', async () => {
  const raised: string[] = [];
  const { agent } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }], {}, (engine) => {
    for (const name of plain) {
      // As a pattern: one hook for events of several shapes.
      engine.on(name as string, async (_$, e, next) => {
        raised.push(e['door'] === undefined ? name : `${name} ${String(e['door'])}`);
        const result = await next(e);
        if (name === 'prompt.submit') raised.push('prompt.submit done');
        return result;
      });
    }
    onModel(engine, async function* (e, next) {
      raised.push('llm.request');
      return yield* next(e);
    });
  });
  await agent.submit('go');
  await agent.close();
  expect(raised).toEqual([
    'session.start',
    'prompt.submit',
    'session.append prompt',
    'turn.start',
    'prompt.submit done',
    'turn.iteration',
    'llm.request',
    'session.append response',
    'tool.call',
    'session.append tool-result',
    'turn.iteration',
    'llm.request',
    'session.append response',
    'turn.complete',
    'session.end',
  ]);
});

test('the notices of one turn tell who did what, under one turn', async () => {
  const { agent, notices } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }]);
  const { turnId } = await agent.submit('go');
  await new Promise((resolve) => setImmediate(resolve));
  expect(notices.map(({ name }) => name)).toEqual([
    'turn.started',
    'llm.started',
    'llm.ended',
    'tool.started',
    'tool.ended',
    'llm.started',
    'llm.ended',
    'turn.ended',
  ]);
  for (const { name, data } of notices) {
    expect(data).toMatchObject({ sessionId: agent.sessionId, ...(name.startsWith('tool.') ? {} : { turnId }) });
  }
  expect(notices.at(-1)?.data).toMatchObject({ status: 'completed', iterations: 2, text: 'go', answer: 'ok' });
});

test('the iterations are counted over the life of the session', async () => {
  const counted: unknown[] = [];
  const { agent } = stage([{ toolCalls: [bash('true')] }, { text: 'a' }, { text: 'b' }], {}, (engine) =>
    engine.on('turn.iteration', (_$, e, next) => {
      counted.push(e.iteration);
      return next(e);
    }),
  );
  await agent.submit('one');
  await agent.submit('two');
  expect(counted).toEqual([1, 2, 3]);
});
