import { describe, expect, test } from 'vitest';
import {
  createEngine,
  type ModelChunk,
  type ModelRequest,
  type ModelResponse,
  type Observed,
} from '../../src/index.ts';
import { noticesOf, told } from './helpers.ts';

const request: ModelRequest = {
  turnId: 't1',
  index: 0,
  model: 'small',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  options: {},
};
const usage = { input_tokens: 1, output_tokens: 2 };
const whole: ModelResponse = {
  text: 'hello there',
  toolCalls: [{ id: 'c1', name: 'Bash', input: { command: 'ls' } }],
  stopReason: 'tool_use',
  usage,
};

/** A model that streams `whole`, and keeps what it was asked. */
function model() {
  const asked: ModelRequest[] = [];
  const send = async function* (final: ModelRequest): AsyncGenerator<ModelChunk, ModelResponse, undefined> {
    asked.push(final);
    yield { kind: 'text', index: 0, text: 'hello ' };
    yield { kind: 'text', index: 0, text: 'there' };
    yield { kind: 'tool', index: 1, id: 'c1', name: 'Bash' };
    yield { kind: 'input', index: 1, json: '{"command"' };
    yield { kind: 'input', index: 1, json: ':"ls"}' };
    yield { kind: 'stop', stopReason: 'tool_use', usage };
    return whole;
  };
  return { asked, send };
}

async function drain(stream: AsyncGenerator<ModelChunk, ModelResponse, undefined>) {
  const chunks: ModelChunk[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return { chunks, response: step.value };
    chunks.push(step.value);
  }
}
const shown = (chunks: readonly ModelChunk[]): string => chunks.map((c) => (c.kind === 'text' ? c.text : '')).join('');

describe('engine.model', () => {
  test('streams what the model sends and answers with the whole', async () => {
    const { send } = model();
    const stream = createEngine().model(request, send);
    const { chunks, response } = await drain(stream);
    expect(shown(chunks)).toBe('hello there');
    expect(response).toEqual(whole);
    expect(await stream.result).toEqual(whole);
  });

  test('hands on the model and effort that a turn.step hook chose, and what an llm.request hook made of the rest', async () => {
    const { asked, send } = model();
    const line = createEngine();
    line.on('turn.step', async function* (_$, e, next) {
      return yield* next({ ...e, model: 'big', effort: 'high' });
    });
    line.on('llm.request', async function* (_$, e, next) {
      return yield* next({
        ...e,
        messages: [...e.messages, { role: 'user', content: 'more' }],
        options: { max_tokens: 5 },
      });
    });
    await drain(line.model(request, send));
    expect(asked).toMatchObject([{ model: 'big', effort: 'high', options: { max_tokens: 5 }, turnId: 't1' }]);
    expect(asked[0]?.messages).toHaveLength(2);
  });

  test('acts on the chunks that leave the outermost hook', async () => {
    const { send } = model();
    const line = createEngine();
    line.on('turn.step', async function* (_$, e, next) {
      for await (const chunk of next(e)) {
        if (chunk.kind === 'text') yield { ...chunk, text: chunk.text.toUpperCase() };
        else if (chunk.kind === 'stop') yield chunk;
      }
      return undefined;
    });
    const { response } = await drain(line.model(request, send));
    expect(response).toMatchObject({ text: 'HELLO THERE', toolCalls: [] });
  });

  test('shows nothing of an answer that a plain llm.request hook buffers, but what it returns', async () => {
    const { send } = model();
    const line = createEngine();
    let got: ModelResponse | undefined;
    line.on('llm.request', async (_$, e, next) => {
      got = await next(e);
      return { ...got, text: 'masked', toolCalls: [] };
    });
    const { chunks, response } = await drain(line.model(request, send));
    expect(got).toEqual(whole);
    expect(shown(chunks)).toBe('masked');
    expect(response).toMatchObject({ text: 'masked', toolCalls: [] });
  });

  test('sends no request where a hook answers', async () => {
    const { asked, send } = model();
    const line = createEngine();
    line.on('llm.request', () => ({ text: 'from the cache', toolCalls: [], stopReason: 'end_turn', usage: null }));
    const { response } = await drain(line.model(request, send));
    expect(response.text).toBe('from the cache');
    expect(asked).toEqual([]);
  });

  test('gives a call whose arguments are no JSON as malformed, never run', async () => {
    const { response } = await drain(
      createEngine().model(request, async function* () {
        yield { kind: 'tool', index: 0, id: 'c1', name: 'Bash' };
        yield { kind: 'input', index: 0, json: '{"command":' };
        yield { kind: 'stop', stopReason: 'tool_use', usage: null };
        return whole;
      }),
    );
    expect(response.toolCalls).toEqual([{ id: 'c1', name: 'Bash', input: {}, malformed: '{"command":' }]);
  });

  test('fails where the model fails, in the stream and in its result', async () => {
    const line = createEngine();
    const stream = line.model(request, async function* () {
      yield { kind: 'text', index: 0, text: 'he' };
      throw new Error('overloaded');
    });
    await expect(drain(stream)).rejects.toThrow('overloaded');
    await expect(stream.result).rejects.toThrow('overloaded');
  });

  test('aborts the request when the reader leaves', async () => {
    let signal: AbortSignal | undefined;
    const stream = createEngine().model(request, async function* (_final, given) {
      signal = given;
      for (;;) yield { kind: 'text', index: 0, text: '.' };
    });
    for await (const _chunk of stream) break;
    expect(signal?.aborted).toBe(true);
  });

  test('tells notices', async () => {
    const seen: Observed[] = [];
    const line = createEngine();
    line.observe((one) => void seen.push(one), { pattern: 'llm.*' });
    await drain(line.model(request, model().send));
    await told();
    expect(noticesOf(seen)).toEqual(['llm.started', 'llm.ended']);
  });
});

describe('engine.stream', () => {
  const e = { turnId: 't1', index: 0, model: 'small', messageCount: 1 };
  const result = {
    turnId: 't1',
    index: 0,
    answer: 'hello',
    toolUses: [],
    stopReason: 'end_turn',
    usage: null,
  } as const;

  test('raises turn.step over a host’s own stream', async () => {
    const line = createEngine();
    line.on('turn.step', async function* (_$, step, next) {
      const beneath = yield* next({ ...step, model: 'big' });
      return { ...beneath, answer: `${beneath.answer}, said ${beneath.stopReason}` };
    });
    const models: string[] = [];
    const stream = line.stream('turn.step', e, {
      bottom: async function* (step) {
        models.push(step.model);
        yield { kind: 'text', index: 0, text: 'hello' };
        return result;
      },
    });
    const chunks: ModelChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(models).toEqual(['big']);
    expect(shown(chunks)).toBe('hello');
    expect((await stream.result).answer).toBe('hello, said end_turn');
  });

  test('refuses llm.request, and events that do not stream', async () => {
    const line = createEngine();
    const raise = (name: string) => line.stream(name as 'turn.step', e, { bottom: () => result }).next();
    await expect(raise('llm.request')).rejects.toMatchObject({ code: 'engine.no-raise' });
    await expect(raise('turn.start')).rejects.toMatchObject({ code: 'engine.no-event' });
  });
});
