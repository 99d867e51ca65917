import { expect, test } from 'vitest';
import { gate, later, rig } from './rig.ts';

const boom = () => {
  throw new Error('boom');
};

test('the handler of a hook that fails answers in its place', async () => {
  const line = rig();
  line.on(boom).catch(() => ({ deny: 'the guard failed' }));
  expect(await line.run()).toEqual({ deny: 'the guard failed' });
  expect(line.bottom).toEqual([]);
  expect(line.trace()[0]).toMatchObject({ outcome: 'caught', code: 'kernel.throw' });
});

test('a handler is not asked while nothing fails', async () => {
  const line = rig();
  line.on((e, next) => next(e)).catch(() => ({ deny: 'never' }));
  expect(await line.run()).toEqual({ text: 'ran' });
});

test('next.error and next.called tell a handler what happened, and a hook has neither', async () => {
  const seen: unknown[] = [];
  const line = rig();
  line
    .on(async (e, next) => {
      seen.push(next.error, next.called);
      await next(e);
      throw new Error('boom');
    })
    .catch((_$, e, next) => {
      seen.push(next.error, next.called);
      return next(e);
    });
  line
    .on((_e, next) => next({}))
    .catch((_$, e, next) => {
      seen.push(next.error, next.called);
      return next(e);
    });
  await line.run();
  expect(seen).toEqual([
    undefined,
    undefined,
    { kind: 'throw', class: 'rewrite', message: expect.stringContaining('no { cwd }'), budget: 10_000 },
    false,
    { kind: 'throw', class: 'throw', message: 'threw Error: boom', budget: 10_000 },
    true,
  ]);
});

test('next in a handler runs what lies beneath once, with a rewrite, and tells it again after that', async () => {
  let count = 0;
  const line = rig({}, () => ({ text: String(++count) }));
  const seen: unknown[] = [];
  line.on(boom).catch(async (_$, e, next) => {
    seen.push(await next({ ...e, command: 'placeholder' }), await next({ ...e, command: 'unread' }));
    return next(e);
  });
  expect(await line.run()).toEqual({ text: '1' });
  expect(seen).toEqual([{ text: '1' }, { text: '1' }]);
  expect(line.bottom.map((e) => e.command)).toEqual(['placeholder']);
});

test('next in a handler whose hook had called next tells what that call came to, argument unread', async () => {
  const line = rig();
  line
    .on(async (e, next) => {
      await next({ ...e, command: 'first' });
      throw new Error('boom');
    })
    .catch(async (_$, _e, next) => ({ ...(await next('unread')), caught: true }));
  expect(await line.run()).toEqual({ text: 'ran', caught: true });
  expect(line.bottom.map((e) => e.command)).toEqual(['first']);
});

test("a run in flight is awaited by the handler's next", async () => {
  const hold = gate<{ text: string }>();
  const line = rig({}, () => hold.promise);
  line
    .on((e, next) => {
      next(e);
      return boom();
    })
    .catch((_$, e, next) => next(e));
  const out = line.run();
  await later(1);
  hold.open({ text: 'slow' });
  expect(await out).toEqual({ text: 'slow' });
  expect(line.bottom).toHaveLength(1);
});

test('it rejects if that run rejected, and letting it through is no failure of the handler', async () => {
  const line = rig({}, () => Promise.reject(new Error('disk full')));
  line
    .on(async (e, next) => {
      await next(e).catch(() => undefined);
      return boom();
    })
    .catch((_$, e, next) => next(e));
  await expect(line.run()).rejects.toThrow('disk full');
  expect(line.trace()[0]?.outcome).toBe('rejected');
});

test.each([
  ['answers undefined', () => undefined],
  ['throws', boom],
  ['answers the wrong shape', () => ({ txt: 1 })],
  ['rejects', async () => boom()],
])('a handler that %s counts as absent', async (_how, handler) => {
  const open = rig();
  open.on(boom).catch(handler);
  expect(await open.run()).toEqual({ text: 'ran' });
  expect(open.trace()[0]).toMatchObject({ outcome: 'skipped', notes: [{ code: 'kernel.catch-failed' }] });
  const closed = rig();
  closed.on(boom, { onFailure: 'closed' }).catch(handler);
  expect(await closed.run()).toHaveProperty('deny');
  expect(closed.bottom).toEqual([]);
});

test('a handler has one second of its own', async () => {
  const line = rig();
  let budget = 0;
  line.on(boom).catch((_$, _e, next) => {
    budget = next.budget.ms;
    return new Promise(() => undefined);
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(budget).toBe(1000);
});

test('a timeout is told as one, without a message', async () => {
  const line = rig({ budgetMs: 20 });
  let error: unknown;
  line
    .on(() => new Promise(() => undefined))
    .catch((_$, _e, next) => {
      error = next.error;
      return { deny: 'too slow' };
    });
  expect(await line.run()).toEqual({ deny: 'too slow' });
  expect(error).toEqual({ kind: 'timeout', class: 'budget', budget: 20 });
});

test('a second .catch on one registration throws', () => {
  const line = rig();
  const registration = line.on(boom).catch(() => undefined);
  expect(() => registration.catch(() => undefined)).toThrow(expect.objectContaining({ code: 'kernel.catch-twice' }));
});

test('a refusal from a handler after next resolved stands', async () => {
  const line = rig();
  line
    .on(async (e, next) => {
      await next(e);
      return boom();
    })
    .catch(() => ({ deny: 'withheld' }));
  expect(await line.run()).toEqual({ deny: 'withheld' });
});

test('a failure is counted once, whoever answers for it', async () => {
  const line = rig();
  line.on(boom).catch(boom);
  await line.run();
  const [link] = line.kernel.links('tool.call');
  expect([link?.calls, link?.failures]).toEqual([1, 1]);
  expect(line.reports).toHaveLength(1);
});
