import { expect, test } from 'vitest';
import { AbortTurn, Control, HardAbort, isControl } from '../../src/kernel/index.ts';
import { rig } from './rig.ts';

const abort = (kind: typeof AbortTurn | typeof HardAbort) => () => {
  throw new kind('guard', 'enough');
};

test.each([AbortTurn, HardAbort])(
  '%o passes every link untouched and reaches the host with hook and reason',
  async (kind) => {
    const line = rig();
    line.on(async (e, next) => next(e), { onFailure: 'closed' });
    line.on((e, next) => next(e)).catch(() => ({ deny: 'caught' }));
    line.on(abort(kind)).catch(() => ({ deny: 'caught' }));
    await expect(line.run()).rejects.toMatchObject({ name: kind.name, hook: 'guard', reason: 'enough' });
    expect(line.reports).toEqual([]);
    expect(line.bottom).toEqual([]);
  },
);

test('a hook that swallows control cannot keep it from the host, whatever it answers', async () => {
  const line = rig();
  line.on(async (e, next) => next(e).catch(() => ({ text: 'all is well' })));
  line.on(abort(AbortTurn));
  await expect(line.run()).rejects.toBeInstanceOf(AbortTurn);
  expect(line.trace()[0]).toMatchObject({ outcome: 'rejected', code: 'kernel.control' });
});

test('nor by throwing something else, nor by calling next again', async () => {
  const line = rig();
  let again: unknown;
  line.on(async (e, next) => {
    await next(e).catch(() => undefined);
    again = await next(e).catch((error: unknown) => error);
    throw new Error('mine');
  });
  line.on((e, next) => (line.bottom.length === 0 && again === undefined ? abort(HardAbort)() : next(e)));
  await expect(line.run()).rejects.toBeInstanceOf(HardAbort);
  expect(again).toBeInstanceOf(HardAbort);
  expect(line.bottom).toEqual([]);
});

test('a handler may abort too', async () => {
  const line = rig();
  line.on(() => undefined).catch(abort(AbortTurn));
  await expect(line.run()).rejects.toBeInstanceOf(AbortTurn);
});

test('control from the bottom travels the same way', async () => {
  const line = rig({}, abort(AbortTurn));
  line.on(async (e, next) => next(e).catch(() => ({ text: 'x' })));
  await expect(line.run()).rejects.toBeInstanceOf(AbortTurn);
});

test('control of another copy of the package is known by its mark', async () => {
  const foreign = Object.assign(new Error('other'), { [Symbol.for('trotline.control')]: true, name: 'AbortTurn' });
  expect(isControl(foreign)).toBe(true);
  expect([isControl(new Error('x')), isControl(null), isControl('AbortTurn')]).toEqual([false, false, false]);
  expect(new AbortTurn('a', 'b')).toBeInstanceOf(Control);
  const line = rig();
  line
    .on(() => {
      throw foreign;
    })
    .catch(() => ({ deny: 'caught' }));
  await expect(line.run()).rejects.toBe(foreign);
});

test("a dialect's own test of the event may abort too", async () => {
  const line = rig();
  line.on((e, next) => next(e), { when: abort(AbortTurn), onFailure: 'closed' });
  await expect(line.run()).rejects.toBeInstanceOf(AbortTurn);
  expect(line.reports).toEqual([]);
});
