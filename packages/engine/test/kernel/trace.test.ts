import { expect, test } from 'vitest';
import { owner, rig } from './rig.ts';

test('next.trace holds what settled beneath on the latest call, nearest first, the bottom last', async () => {
  const line = rig();
  let before: unknown;
  let after: readonly Record<string, unknown>[] = [];
  line.on(async (e, next) => {
    before = next.trace;
    const out = await next(e);
    after = next.trace;
    return out;
  });
  line.on(async (e, next) => ({ ...(await next(e)), more: 1 }), { owner: owner('second') });
  line.on((e, next) => next(e), { owner: owner('third') });
  await line.run();
  expect(before).toEqual([]);
  expect(after.map((entry) => [entry.index, entry.plugin, entry.tier, entry.outcome])).toEqual([
    [1, 'second', 'user', 'returned'],
    [2, 'third', 'user', 'passed'],
    [3, 'engine', 'core', 'returned'],
  ]);
  expect(after[0]).toMatchObject({
    event: 'tool.call',
    received: { command: 'ls' },
    returned: { text: 'ran', more: 1 },
  });
  expect(Object.isFrozen(after) && Object.isFrozen(after[0])).toBe(true);
});

test('it ends early at a link that answered by itself, and is filled when next rejected', async () => {
  const line = rig();
  let trace: readonly { plugin: string; outcome: string }[] = [];
  line.on(async (e, next) => {
    const out = await next(e);
    trace = next.trace;
    return out;
  });
  line.on(() => ({ deny: 'x' }), { owner: owner('second') });
  await line.run();
  expect(trace.map((entry) => entry.plugin)).toEqual(['second']);
  const other = rig({}, () => Promise.reject(new Error('disk full')));
  other.on(async (e, next) => {
    await next(e).catch(() => undefined);
    trace = next.trace;
    return { deny: 'x' };
  });
  await other.run();
  expect(trace).toMatchObject([
    { plugin: 'engine', outcome: 'rejected', reason: expect.stringContaining('disk full') },
  ]);
});

test('the latest of two calls is the one told, and the trace of the dispatch holds both', async () => {
  const line = rig();
  let trace: readonly { received: { command: string } }[] = [];
  line.on(async (e, next) => {
    await next({ ...e, command: 'one' });
    const out = await next({ ...e, command: 'two' });
    trace = next.trace;
    return out;
  });
  await line.run();
  expect(trace.map((entry) => entry.received.command)).toEqual(['two']);
  expect(line.trace().map((entry) => (entry.received as { command: string }).command)).toEqual(['ls', 'one', 'two']);
});

test("a hook's note stands with its entry", async () => {
  const line = rig();
  line.on((e, next) => {
    next.note('picoclaw.unsupported', 'no such effect');
    return next(e);
  });
  await line.run();
  expect(line.trace()[0]).toMatchObject({
    outcome: 'passed',
    code: 'picoclaw.unsupported',
    notes: [{ code: 'picoclaw.unsupported', reason: 'no such effect' }],
  });
});

test('notes do not grow without bound', async () => {
  const line = rig();
  line.on((e, next) => {
    for (let i = 0; i < 1000; i++) next.note('x.y');
    return next(e);
  });
  await line.run();
  expect(line.trace()[0]?.notes?.length).toBeLessThanOrEqual(50);
});

test('next.to goes on at a tier further in, and what it went past says by whom', async () => {
  const line = rig();
  const seen: string[] = [];
  const at = (name: string, tier: 'prepend' | 'user' | 'append' | 'builtin') =>
    line.on(
      (e, next) => {
        seen.push(name);
        return name === 'managed' ? next.to({ ...e, command: 'to' }, 'builtin') : next(e);
      },
      { owner: owner(name, { tier }) },
    );
  at('managed', 'prepend');
  at('mine', 'user');
  at('late', 'append');
  at('shipped', 'builtin');
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(seen).toEqual(['managed', 'shipped']);
  expect(line.bottom[0]?.command).toBe('to');
  expect(line.trace().map((entry) => [entry.index, entry.plugin, entry.outcome, entry.reason])).toEqual([
    [0, 'managed', 'passed', undefined],
    [1, 'mine', 'skipped', 'bypassed by managed'],
    [2, 'late', 'skipped', 'bypassed by managed'],
    [3, 'shipped', 'passed', undefined],
    [4, 'engine', 'returned', undefined],
  ]);
});

test.each([
  ['user', 'core', false],
  ['builtin', 'core', false],
  ['core', 'core', false],
  ['prepend', 'append', true],
  ['prepend', 'builtin', true],
  ['prepend', 'core', true],
  ['prepend', 'user', false],
  ['prepend', 'prepend', false],
  ['append', 'core', true],
  ['append', 'builtin', false],
] as const)('next.to from %s to %s: %s', async (tier, target, allowed) => {
  const line = rig();
  let error: unknown;
  line.on(
    async (e, next) => {
      error = await Promise.resolve(next.to(e, target)).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      return { deny: 'done' };
    },
    { owner: owner('m', { tier }) },
  );
  await line.run();
  expect(line.bottom).toHaveLength(allowed ? 1 : 0);
  if (!allowed) expect(error).toMatchObject({ code: 'kernel.to' });
});

test('next.to works in a handler too', async () => {
  const line = rig();
  line.on(() => undefined, { owner: owner('m', { tier: 'prepend' }) }).catch((_$, e, next) => next.to(e, 'core'));
  line.on(() => ({ deny: 'no' }));
  expect(await line.run()).toEqual({ text: 'ran' });
});

test('next has its members and no more, and nothing can be set on it', async () => {
  const line = rig();
  line.on((e, next) => {
    expect(typeof next).toBe('function');
    expect(Object.isFrozen(next)).toBe(true);
    expect(() => (next.extra = 1)).toThrow(TypeError);
    expect(() => (next.signal = 1)).toThrow(TypeError);
    expect(next.then).toBeUndefined();
    expect(next.call(undefined, e)).toEqual({ text: 'ran' });
    return next(e);
  });
  await line.run();
  expect(line.trace()[0]?.outcome).toBe('passed');
});

test('where nobody is told and nobody asks, no entry is made', async () => {
  const line = rig();
  line.on((e, next) => next(e), { matcher: { tool: 'Edit' } });
  await line.run();
  expect(line.trace()).toEqual([]);
});
