import { expect, test } from 'vitest';
import { event, rig } from './rig.ts';

test('a changed pinned field makes the next call reject, and nothing beneath runs for it', async () => {
  const line = rig();
  let error: unknown;
  line.on(async (e, next) => {
    error = await next({ ...e, tool: 'Write' }).catch((caught: unknown) => caught);
    return { deny: 'caught' };
  });
  expect(await line.run()).toEqual({ deny: 'caught' });
  expect(error).toMatchObject({ code: 'kernel.pinned' });
  expect(String(error)).toContain('changed tool');
  expect(line.bottom).toEqual([]);
});

test('a changed pinned field that the hook lets through is its failure: it is skipped with the event it received', async () => {
  const line = rig();
  line.on((e, next) => next({ ...e, tool: 'Write', command: 'rm' }));
  await line.run();
  expect(line.bottom).toEqual([event]);
  expect(line.trace()[0]).toMatchObject({ outcome: 'skipped', failure: 'rewrite', code: 'kernel.rewrite' });
});

test('a pinned field left out is put back, and the trace says so', async () => {
  const line = rig();
  line.on((_e, next) => next({ cwd: '/x', command: 'pwd' }));
  await line.run();
  expect(line.bottom).toEqual([{ tool: 'Bash', id: 'c1', cwd: '/x', command: 'pwd' }]);
  expect(line.trace()[0]?.notes).toEqual([{ code: 'kernel.restored', reason: 'tool, id' }]);
});

test('a pinned field that was absent may not be added', async () => {
  const line = rig();
  line.on((e, next) => next({ ...e, id: 'forged' }));
  await line.run({ e: { tool: 'Bash', cwd: '/w' } });
  expect(line.bottom).toEqual([{ tool: 'Bash', cwd: '/w' }]);
});

test('an equal copy of a pinned value passes', async () => {
  const line = rig({ pinned: (field) => field === 'deep' });
  line.on((e, next) => next({ ...e, deep: structuredClone(e.deep), command: 'x' }));
  await line.run({ e: { ...event, deep: { a: [1, { b: null }], at: new Date(5), bytes: new Uint8Array([1]) } } });
  expect(line.bottom[0]?.command).toBe('x');
});

test('a pinned value that differs deep inside is a changed one', async () => {
  const line = rig({ pinned: (field) => field === 'deep' });
  line.on((e, next) => next({ ...e, deep: { a: [1, { b: 2 }] }, command: 'x' }));
  await line.run({ e: { ...event, deep: { a: [1, { b: 3 }] } } });
  expect(line.bottom[0]?.command).toBe('ls');
});

test('a missing field that is not pinned fails by name', async () => {
  const line = rig();
  let error: unknown;
  line.on(async (e, next) => {
    const { cwd: _, ...rest } = e;
    error = await next(rest).catch((caught: unknown) => caught);
    return next(e);
  });
  await line.run();
  expect(String(error)).toContain('next() passed an argument with no { cwd }');
});

test.each([['a string'], [7], [null], [['a']], [() => 1], [Object.assign(Object.create({}), { a: new Map() })]])(
  'next(%s) rejects',
  async (given) => {
    const line = rig();
    let error: unknown;
    line.on(async (e, next) => {
      error = await next(given).catch((caught: unknown) => caught);
      return next(e);
    });
    await line.run();
    expect(error).toMatchObject({ failureClass: 'rewrite' });
    expect(line.bottom).toEqual([event]);
  },
);
