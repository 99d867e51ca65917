import { expect, test } from 'vitest';
import type { EventRules, LinkSpec, Registration, Report, Stream, TraceEntry } from '../../src/kernel/index.ts';
import { AbortTurn, createKernel } from '../../src/kernel/index.ts';
import { gate, later, owner, rules } from './rig.ts';

type Chunk = { readonly text: string };
type Whole = { readonly answer: string; readonly [more: string]: unknown };
// biome-ignore lint/suspicious/noExplicitAny: tests hand hooks of every shape to the kernel
type StreamHook = (e: any, next: any) => unknown;

/** A model call in small: chunks hold `text`, the whole response holds the `answer` that they spell. */
function streams(
  more: Partial<EventRules> = {},
  bottom?: (e: { cwd: string }, call: { signal: AbortSignal }) => unknown,
) {
  const mine = rules({
    name: 'llm.request',
    stream: true,
    resultMisfit: (result) => (typeof (result as Whole | undefined)?.answer === 'string' ? undefined : 'no { answer }'),
    chunkMisfit: (chunk) => (typeof (chunk as Chunk | undefined)?.text === 'string' ? undefined : 'no { text }'),
    chunksOf: (result) => [...(result as Whole).answer].map((text) => ({ text })),
    refusal: (reason) => ({ answer: `refused: ${reason}` }),
    refused: (result) => (result as Whole).answer.startsWith('refused'),
    subject: 'the model',
    ...more,
  });
  const reports: Report[] = [];
  let trace: () => readonly TraceEntry[] = () => [];
  let runs = 0;
  const kernel = createKernel({
    dollar: () => ({}),
    onReport: (report) => reports.push(report),
    onSettled: (_event, entries) => {
      trace = entries;
    },
  });
  const open = (signal?: AbortSignal): Stream<Chunk, Whole> =>
    kernel.dispatch(mine, {
      e: { tool: 'm', cwd: 'ab' },
      origin: { plugin: 'engine', tier: 'core' },
      signal,
      bottom: (e: { cwd: string }, call) => {
        runs++;
        return bottom === undefined ? spell(e.cwd) : bottom(e, call);
      },
    }) as unknown as Stream<Chunk, Whole>;
  return {
    reports,
    trace: () => trace(),
    runs: () => runs,
    open,
    on: (hook: StreamHook, spec: Partial<LinkSpec> = {}): Registration => {
      const isGenerator = Object.getPrototypeOf(hook) === Object.getPrototypeOf(async function* () {});
      const seated = isGenerator
        ? async function* (_$: unknown, e: unknown, next: unknown) {
            return yield* hook(e, next) as AsyncGenerator;
          }
        : (_$: unknown, e: unknown, next: unknown) => hook(e, next);
      return kernel.register({ owner: owner(), pattern: mine.name, hook: seated, ...spec });
    },
    /** The chunks as one text, and the result. */
    async read(): Promise<[string, Whole]> {
      const stream = open();
      let text = '';
      for (let step = await stream.next(); ; step = await stream.next()) {
        if (step.done) return [text, step.value];
        text += step.value.text;
      }
    },
  };
}

async function* spell(text: string): AsyncGenerator<Chunk, Whole> {
  for (const letter of text) yield { text: letter };
  return { answer: text };
}

test('without a hook the bottom streams, and result tells the whole', async () => {
  const line = streams();
  expect(await line.read()).toEqual(['ab', { answer: 'ab' }]);
  const stream = line.open();
  const seen: string[] = [];
  for await (const chunk of stream) seen.push(chunk.text);
  expect([seen, await stream.result]).toEqual([['a', 'b'], { answer: 'ab' }]);
});

test('nothing runs before a stream is pulled', async () => {
  const line = streams();
  line.open();
  await later(5);
  expect(line.runs()).toBe(0);
});

test('result alone drives the stream, and the chunks can still be read afterwards', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    return yield* next(e);
  });
  const stream = line.open();
  expect(await stream.result).toEqual({ answer: 'ab' });
  const seen: string[] = [];
  for await (const chunk of stream) seen.push(chunk.text);
  expect(seen).toEqual(['a', 'b']);
});

test('a generator link passes chunks live, changes them, and answers the result', async () => {
  const hold = gate();
  const line = streams({}, async function* () {
    yield { text: 'a' };
    await hold.promise;
    yield { text: 'b' };
    return { answer: 'ab' };
  });
  line.on(async function* (e, next) {
    const stream = next(e);
    for await (const chunk of stream) yield { text: chunk.text.toUpperCase() };
    return { ...(await stream.result), changed: true };
  });
  const stream = line.open();
  expect((await stream.next()).value).toEqual({ text: 'A' });
  hold.open();
  expect((await stream.next()).value).toEqual({ text: 'B' });
  expect(await stream.next()).toEqual({ done: true, value: { answer: 'ab', changed: true } });
});

test('yield* forwards the chunks and evaluates to the result', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    const result = yield* next({ ...e, cwd: 'xyz' });
    return result;
  });
  expect(await line.read()).toEqual(['xyz', { answer: 'xyz' }]);
  expect(line.trace().map((entry) => [entry.outcome, entry.chunks])).toEqual([
    ['passed', 3],
    ['returned', 3],
  ]);
});

test('a generator that returns nothing lets its last next stand', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    yield* next(e);
  });
  expect(await line.read()).toEqual(['ab', { answer: 'ab' }]);
  expect(line.trace()[0]?.outcome).toBe('passed');
  expect(line.reports).toEqual([]);
});

test('a generator that answers without next sends nothing', async () => {
  const line = streams();
  line.on(async function* () {
    yield { text: 'own' };
    return { answer: 'own' };
  });
  expect(await line.read()).toEqual(['own', { answer: 'own' }]);
  expect(line.runs()).toBe(0);
});

test('a plain function is a buffering link: nothing was shown of what its next resolves to', async () => {
  const line = streams();
  line.on(async (e, next) => {
    const whole = await next(e);
    return { answer: whole.answer.toUpperCase() };
  });
  expect(await line.read()).toEqual(['AB', { answer: 'AB' }]);
});

test('a buffering link that changes nothing streams on the very chunks that came', async () => {
  const line = streams({}, async function* () {
    yield { text: 'a', ref: 1 };
    return { answer: 'whole' };
  });
  line.on(async (e, next) => await next(e));
  const stream = line.open();
  expect((await stream.next()).value).toEqual({ text: 'a', ref: 1 });
  expect((await stream.next()).value).toEqual({ answer: 'whole' });
});

test('a buffering link may ask twice, and answer without next', async () => {
  const line = streams();
  line.on(async (e, next) => {
    const first = await next(e);
    const second = await next({ ...e, cwd: 'cd' });
    return { answer: first.answer + second.answer };
  });
  expect(await line.read()).toEqual(['abcd', { answer: 'abcd' }]);
  const other = streams();
  other.on(() => ({ answer: 'cached' }));
  expect(await other.read()).toEqual(['cached', { answer: 'cached' }]);
  expect(other.runs()).toBe(0);
});

test('a plain function under a glob that returns next(e) passes the stream live', async () => {
  const hold = gate();
  const line = streams({}, async function* () {
    yield { text: 'a' };
    await hold.promise;
    return { answer: 'a' };
  });
  line.on((e, next) => next(e), { pattern: '*' });
  const stream = line.open();
  expect((await stream.next()).value).toEqual({ text: 'a' });
  hold.open();
  expect((await stream.next()).value).toEqual({ answer: 'a' });
});

test('a bottom that answers whole is streamed as the rules tell it', async () => {
  const line = streams({}, async () => ({ answer: 'hi' }));
  line.on(async function* (e, next) {
    return yield* next(e);
  });
  expect(await line.read()).toEqual(['hi', { answer: 'hi' }]);
});

test('a generator that fails after some chunks: the rest of what lies beneath goes on', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    const stream = next(e);
    const first = await stream.next();
    yield { text: first.value.text.toUpperCase() };
    throw new Error('boom');
  });
  expect(await line.read()).toEqual(['Ab', { answer: 'ab' }]);
  expect(line.trace()[0]).toMatchObject({ outcome: 'kept', code: 'kernel.throw' });
});

test('a generator that fails before next is skipped', async () => {
  const line = streams();
  // biome-ignore lint/correctness/useYield: what is tested
  line.on(async function* () {
    throw new Error('boom');
  });
  line.on(() => {
    throw new Error('boom');
  });
  line.on(async () => ({ nothing: true }));
  expect(await line.read()).toEqual(['ab', { answer: 'ab' }]);
  expect(line.trace().map((entry) => entry.outcome)).toEqual(['skipped', 'skipped', 'skipped', 'returned']);
});

test.each([
  ['a chunk of the wrong shape', { txt: 'x' }],
  ['a chunk that cannot travel', { text: 'x', f: () => 1 }],
])('%s is a failure', async (_what, chunk) => {
  const line = streams();
  line.on(async function* (e, next) {
    yield chunk;
    return yield* next(e);
  });
  expect(await line.read()).toEqual(['ab', { answer: 'ab' }]);
  expect(line.trace()[0]).toMatchObject({ failure: 'shape' });
});

test('failing closed answers with the refusal, or ends the turn where the event has none', async () => {
  const line = streams();
  line.on(
    async function* (e, next) {
      yield* next(e);
      throw new Error('boom');
    },
    { onFailure: 'closed', name: 'guard' },
  );
  const [shown, { answer }] = await line.read();
  expect(shown.startsWith('abrefused: ')).toBe(true);
  expect(answer).toContain('guard');
  const bare = streams({ refusal: undefined } as never);
  bare.on(() => undefined, { onFailure: 'closed' });
  await expect(bare.read()).rejects.toBeInstanceOf(AbortTurn);
  expect(bare.runs()).toBe(0);
});

test('a handler continues the stream after the chunks that were shown', async () => {
  const line = streams();
  line
    .on(async function* (e, next) {
      const stream = next(e);
      yield (await stream.next()).value;
      throw new Error('boom');
    })
    .catch(async function* (_$, e, next) {
      yield { text: '-' };
      return yield* next(e);
    });
  expect(await line.read()).toEqual(['a-b', { answer: 'ab' }]);
  expect(line.trace()[0]).toMatchObject({ outcome: 'caught' });
  const plain = streams();
  plain
    .on(async () => {
      throw new Error('boom');
    })
    .catch((_$, e, next) => next({ ...e, cwd: 'safe' }));
  expect(await plain.read()).toEqual(['safe', { answer: 'safe' }]);
});

test("only a hook's own code costs its budget: not the wait for chunks, nor the wait for its reader", async () => {
  const slow = streams({ budgetMs: 300 }, async function* () {
    await later(500);
    yield { text: 'a' };
    return { answer: 'a' };
  });
  slow.on(async function* (e, next) {
    return yield* next(e);
  });
  slow.on(async (e, next) => await next(e));
  const stream = slow.open();
  await stream.next();
  await later(500);
  expect(await stream.next()).toEqual({ done: true, value: { answer: 'a' } });
  expect(slow.reports).toEqual([]);
});

test('a generator that uses up its budget is left, and what lies beneath goes on', async () => {
  const line = streams({ budgetMs: 30 });
  line.on(async function* (e, next) {
    const stream = next(e);
    yield (await stream.next()).value;
    await new Promise(() => undefined);
  });
  expect(await line.read()).toEqual(['ab', { answer: 'ab' }]);
  expect(line.trace()[0]).toMatchObject({ outcome: 'expired', failure: 'budget' });
});

test("closing a stream early closes the bottom's, fires the signals and settles the dispatch", async () => {
  const closed = gate<string>();
  const fired = gate<unknown>();
  const line = streams({}, async function* (_e, { signal }) {
    signal.addEventListener('abort', () => fired.open(signal.reason));
    try {
      yield { text: 'a' };
      yield { text: 'b' };
    } finally {
      closed.open('bottom');
    }
    return { answer: 'ab' };
  });
  let cleaned = false;
  line.on(async function* (e, next) {
    try {
      return yield* next(e);
    } finally {
      cleaned = true;
    }
  });
  for await (const _ of line.open()) break;
  expect(await closed.promise).toBe('bottom');
  expect(await fired.promise).toMatchObject({ code: 'kernel.abandoned' });
  expect(cleaned).toBe(true);
  expect(line.trace()[0]?.outcome).toBe('rejected');
});

test('a generator that answers before the stream beneath ended closes it', async () => {
  const closed = gate<string>();
  const line = streams({}, async function* () {
    try {
      yield { text: 'a' };
      yield { text: 'b' };
    } finally {
      closed.open('bottom');
    }
    return { answer: 'ab' };
  });
  line.on(async function* (e, next) {
    yield (await next(e).next()).value;
    return { answer: 'enough' };
  });
  expect(await line.read()).toEqual(['a', { answer: 'enough' }]);
  expect(await closed.promise).toBe('bottom');
});

test('a rejection from the bottom goes up through the links', async () => {
  const line = streams({}, async function* () {
    yield { text: 'a' };
    throw new Error('connection lost');
  });
  line.on(
    async function* (e, next) {
      return yield* next(e);
    },
    { onFailure: 'closed' },
  );
  line.on(async (e, next) => await next(e), { onFailure: 'closed' });
  const stream = line.open();
  await expect(stream.next()).rejects.toThrow('connection lost');
  await expect(stream.result).rejects.toThrow('connection lost');
  expect(line.reports).toEqual([]);
});

test('control passes streams untouched, though a hook swallow it', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    try {
      return yield* next(e);
    } catch {
      return { answer: 'all is well' };
    }
  });
  line.on(async () => {
    throw new AbortTurn('inner', 'stop');
  });
  await expect(line.read()).rejects.toMatchObject({ hook: 'inner' });
});

test('an after half on a stream sees a whole response that the model really made', async () => {
  const line = streams();
  const seen: unknown[] = [];
  line.on(
    async (e, next) => {
      const whole = await next(e);
      seen.push(whole);
      return { answer: `${whole.answer}!` };
    },
    { half: 'after' },
  );
  expect(await line.read()).toEqual(['ab!', { answer: 'ab!' }]);
  expect(seen).toEqual([{ answer: 'ab' }]);
  line.on(() => ({ answer: 'cached' }), { owner: owner('inner', { tier: 'append' }) });
  expect(await line.read()).toEqual(['cached', { answer: 'cached' }]);
  expect(seen).toHaveLength(1);
});

test('chunks are frozen, and so is the result', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    return yield* next(e);
  });
  const stream = line.open();
  const { value } = await stream.next();
  expect(Object.isFrozen(value)).toBe(true);
});

test('data that cannot travel makes a stream that rejects, and nothing runs', async () => {
  const line = streams();
  line.on(async function* (e, next) {
    return yield* next(e);
  });
  const kernel = createKernel({ dollar: () => ({}) });
  const stream = kernel.dispatch(rules({ stream: true, name: 'llm.request' }), {
    e: { f: () => 1 },
    origin: { plugin: 'engine', tier: 'core' },
    bottom: () => spell('x'),
  }) as unknown as Stream<Chunk, Whole>;
  await expect(stream.next()).rejects.toMatchObject({ code: 'kernel.not-plain' });
});

test('every stream that a hook left half read is closed, also when it fails or aborts', async () => {
  let open = 0;
  const letters = async function* () {
    open++;
    try {
      yield { text: 'a' };
      yield { text: 'b' };
    } finally {
      open--;
    }
    return { answer: 'ab' };
  };
  for (const end of ['answer', 'abort', 'fail']) {
    const line = streams({ refusal: undefined } as never, letters);
    line.on(
      async function* (e, next) {
        yield (await next(e).next()).value;
        yield (await next(e).next()).value;
        if (end === 'abort') throw new AbortTurn('hook', 'enough');
        if (end === 'fail') throw new Error('boom');
        return { answer: 'aa' };
      },
      { onFailure: 'closed' },
    );
    await line.read().catch(() => undefined);
    await later(1);
    expect([end, open]).toEqual([end, 0]);
  }
});

test('where the rules say so, each chunk has the budget to itself', async () => {
  const outcomes: unknown[] = [];
  for (const budgetPerChunk of [true, false]) {
    const line = streams({ budgetMs: 400, budgetPerChunk });
    line.on(async function* (e, next) {
      const stream = next(e);
      for await (const chunk of stream) {
        await later(250);
        yield chunk;
      }
      return stream.result;
    });
    await line.read();
    outcomes.push(line.trace()[0]?.outcome);
  }
  expect(outcomes).toEqual(['passed', 'expired']);
});

test("closing a stream while the bottom is still waiting fires the bottom's signal", async () => {
  const fired = gate<unknown>();
  const line = streams({}, async function* (_e, { signal }) {
    yield { text: 'a' };
    await new Promise((go) => signal.addEventListener('abort', go));
    fired.open(signal.reason);
    return { answer: 'a' };
  });
  line.on(async function* (e, next) {
    return yield* next(e);
  });
  const stream = line.open();
  await stream.next();
  const waiting = stream.next().catch(() => undefined);
  await later(1);
  await stream.return({ answer: 'closed' });
  expect(await fired.promise).toMatchObject({ code: 'kernel.abandoned' });
  await waiting;
});
