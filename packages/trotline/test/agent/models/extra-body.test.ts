import { expect, test } from 'vitest';
import { resolveModel } from '../../../src/agent/models/resolve.ts';
import { onModel, stage } from '../support/agent.ts';
import { chat, modelServer } from '../support/server.ts';

test('keys that a hook adds to the body never take the place of what went down the line', async () => {
  const server = await modelServer(chat({ text: 'ok' }));
  const env = { OPENAI_API_KEY: 'k' };
  const model = resolveModel('openai/m', { env, baseUrl: server.url });
  const { agent } = stage([], { model, allowedTools: [] }, (engine) =>
    onModel(engine, async function* (e, next) {
      const extra_body = { top_p: 0.1, model: 'other', messages: [], stream: false, tools: [{ type: 'web_search' }] };
      return yield* next({ ...e, options: { ...e.options, extra_body } });
    }),
  );
  expect((await agent.submit('hello')).text).toBe('ok');
  const { body } = server.asked[0] ?? {};
  expect(body).toMatchObject({ top_p: 0.1, model: 'm', stream: true });
  expect(body.messages).toHaveLength(2);
  expect(body.tools).toBeUndefined();
});

test('an extra body that is no object is not sent', async () => {
  const server = await modelServer(chat({ text: 'ok' }));
  const model = resolveModel('openai/m', { env: { OPENAI_API_KEY: 'k' }, baseUrl: server.url });
  const { agent } = stage([], { model }, (engine) =>
    onModel(engine, async function* (e, next) {
      return yield* next({ ...e, options: { extra_body: 'top_p=1', unknown: 1 } });
    }),
  );
  await agent.submit('hello');
  expect(Object.keys(server.asked[0]?.body ?? {}).sort()).toEqual([
    'messages',
    'model',
    'stream',
    'stream_options',
    'tools',
  ]);
});
