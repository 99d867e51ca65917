import { AbortTurn, type Engine, HardAbort } from '@trotline/engine';
import { expect, test } from 'vitest';
import type { ShownChunk } from '../../../src/agent/loop/types.ts';
import { resolveModel } from '../../../src/agent/models/resolve.ts';
import { bash, onModel, stage } from '../support/agent.ts';
import { chat, modelServer } from '../support/server.ts';

const textOf = (shown: readonly ShownChunk[]): string =>
  shown.flatMap((chunk) => (chunk.kind === 'text' ? [chunk.text] : [])).join('');

test('a plain hook on a request holds the whole answer back, and what it makes of it is shown, kept and acted on', async () => {
  const { agent } = stage([{ text: 'the secret is 42' }], {}, (engine) =>
    engine.on('llm.request', async (_$, e, next) => {
      const response = await next(e);
      return { ...response, text: 'the secret is safe' };
    }),
  );
  const shown: ShownChunk[] = [];
  const result = await agent.submit('go', { onChunk: (chunk) => shown.push(chunk) });
  expect(textOf(shown)).toBe('the secret is safe');
  expect(result.text).toBe('the secret is safe');
  expect(JSON.stringify(agent.messages)).not.toContain('42');
});

test('a hook answers a request in the model’s place: nothing is sent', async () => {
  const { agent, sent } = stage([{ text: 'never' }], {}, (engine) =>
    engine.on('llm.request', () => ({ text: 'cached', toolCalls: [], stopReason: 'end_turn', usage: null })),
  );
  expect((await agent.submit('go')).text).toBe('cached');
  expect(sent).toHaveLength(0);
});

test('a hook on the step sends it to another model', async () => {
  const { agent, sent } = stage([{ text: 'ok' }], {}, (engine) =>
    engine.on('turn.step', async function* (_$: unknown, e: object, next: (e: object) => AsyncGenerator) {
      return yield* next({ ...e, model: 'cheaper', effort: 'low' });
    } as never),
  );
  await agent.submit('go');
  expect(sent[0]).toMatchObject({ model: 'cheaper', effort: 'low' });
});

test('a guard on requests that fails closed lets no request out, and is named', async () => {
  const { agent, sent } = stage([{ text: 'never' }], {}, (engine) =>
    engine.on(
      'llm.request',
      () => {
        throw new Error('the guard broke');
      },
      { onFailure: 'closed', name: 'dlp' },
    ),
  );
  const result = await agent.submit('go');
  expect(result).toMatchObject({ status: 'error', hook: expect.stringContaining('dlp') });
  expect(sent).toHaveLength(0);
});

test.each([
  ['abort_turn', (): Error => new AbortTurn('guard', 'enough'), 'error', 1],
  ['hard_abort', (): Error => new HardAbort('guard', 'enough'), 'aborted', 0],
] as const)('%s on a request ends the turn before anything is sent', async (_name, control, status, kept) => {
  const { agent, sent } = stage([{ text: 'never' }], {}, (engine) =>
    onModel(engine, async function* (e, next) {
      if (e.index === 0) throw control();
      return yield* next(e);
    }),
  );
  expect(await agent.submit('go')).toMatchObject({ status, reason: 'enough', hook: 'guard' });
  expect(sent).toHaveLength(0);
  expect(agent.messages).toHaveLength(kept);
});

test('control from a hook on the end of a turn counts, and the answer is kept', async () => {
  const { agent } = stage([{ text: 'the answer' }], {}, (engine) =>
    engine.on('turn.complete', () => {
      throw new AbortTurn('guard', 'not like this');
    }),
  );
  expect(await agent.submit('go')).toMatchObject({ status: 'error', reason: 'not like this', text: 'the answer' });
  expect(agent.messages.at(-1)?.content).toBe('the answer');
});

test('an interrupt ends a request under way', async () => {
  const server = await modelServer(chat({ text: 'I will never stop', short: 'hold' }));
  const model = resolveModel('openai/m', { env: { OPENAI_API_KEY: 'k' }, baseUrl: server.url });
  const { agent } = stage([], { model });
  const result = await agent.submit('go', {
    onChunk: ({ kind }) => {
      if (kind === 'text') agent.interrupt('now', 'enough');
    },
  });
  expect(result).toMatchObject({ status: 'aborted', reason: 'enough' });
});

test('tools are described to the model in a hook’s words', async () => {
  const { agent, sent } = stage([{ text: 'ok' }], {}, (engine: Engine) =>
    engine.on('tool.describe', { tool: 'Bash' }, (_$, e, next) => next({ ...e, description: 'Careful with this.' })),
  );
  await agent.submit('go');
  expect(sent[0]?.tools.find(({ name }) => name === 'Bash')?.description).toBe('Careful with this.');
});

test('what hooks say after a tool ran is read by the model and shown to nobody', async () => {
  const { agent } = stage(
    [
      { toolCalls: [bash('echo hi')] },
      { text: 'ok', expect: [{ in: 'lastToolResult', matches: '^hi\\n\\n\\nmind the gap$' }] },
    ],
    {},
    (engine) =>
      engine.on('tool.call', async (_$, e, next) => {
        const ran = await next(e);
        return 'deny' in ran ? ran : { ...ran, context: [...(ran.context ?? []), 'mind the gap'] };
      }),
  );
  expect((await agent.submit('go')).status).toBe('completed');
});

test('a settings hook that prevents going on ends the turn after its call', async () => {
  const { agent, sent } = stage(
    [{ toolCalls: [bash('echo one'), bash('echo two')] }, { text: 'never' }],
    {},
    (engine) =>
      engine.on('classic.PostToolUse', () => ({ preventContinuation: true as const, stopReason: 'that will do' })),
  );
  expect(await agent.submit('go')).toMatchObject({ status: 'aborted', reason: 'that will do' });
  expect(sent).toHaveLength(1);
  expect(agent.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
    'one\n',
    'Skipped: a hook ended the turn: that will do',
  ]);
});
