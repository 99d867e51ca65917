import { expect, test } from 'vitest';
import { bash, stage } from '../support/agent.ts';

const events = [
  'session.start',
  'prompt.submit',
  'turn.start',
  'turn.iteration',
  'llm.request',
  'tool.call',
  'session.append',
  'turn.complete',
  'session.end',
];

test('one turn raises its events in the order that hooks rely on', async () => {
  const raised: string[] = [];
  const { agent } = stage([{ toolCalls: [bash('true')] }, { text: 'ok' }], {}, (engine) => {
    for (const name of events) {
      engine.on(
        name as never,
        (name === 'llm.request'
          ? async function* (_$: unknown, e: unknown, next: (e: unknown) => AsyncGenerator) {
              raised.push(name);
              return yield* next(e);
            }
          : async (_$: unknown, e: { door?: string }, next: (e: unknown) => unknown) => {
              raised.push(e.door === undefined ? name : `${name} ${e.door}`);
              const result = await next(e);
              if (name === 'prompt.submit') raised.push('prompt.submit done');
              return result;
            }) as never,
      );
    }
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
    'llm.started',
    'llm.ended',
    'tool.started',
    'tool.ended',
    'llm.started',
    'llm.ended',
  ]);
  for (const { data } of notices) expect(data).toMatchObject({ turnId, sessionId: agent.sessionId });
  expect(notices[2]?.data).toMatchObject({ tool: 'Bash', input: { command: 'true' } });
  expect(notices[3]?.data).toMatchObject({ tool: 'Bash', isError: false, durationMs: expect.any(Number) });
});

test('the iterations are counted over the life of the session', async () => {
  const counted: unknown[] = [];
  const { agent } = stage([{ toolCalls: [bash('true')] }, { text: 'a' }, { text: 'b' }], {}, (engine) =>
    engine.on(
      'turn.iteration' as never,
      ((_$: unknown, e: { iteration: number }, next: (e: unknown) => unknown) => {
        counted.push(e.iteration);
        return next(e);
      }) as never,
    ),
  );
  await agent.submit('one');
  await agent.submit('two');
  expect(counted).toEqual([1, 2, 3]);
});
