import { expect, test } from 'vitest';
import { gate, later, rig } from './rig.ts';

const never = () => new Promise(() => undefined);

test('time spent in next is free', async () => {
  const line = rig({ budgetMs: 300 }, () => later(700).then(() => ({ text: 'slow' })));
  line.on(async (e, next) => ({ ...(await next(e)), outer: true }));
  expect(await line.run()).toEqual({ text: 'slow', outer: true });
  expect(line.reports).toEqual([]);
});

test('an outer hook is not blamed for an inner one', async () => {
  const line = rig({ budgetMs: 200 });
  line.on((e, next) => next(e), { name: 'outer' });
  line.on(never, { name: 'inner' });
  await line.run();
  expect(line.trace().map((entry) => [entry.hook, entry.outcome])).toEqual([
    ['outer', 'passed'],
    ['inner', 'expired'],
    [undefined, 'returned'],
  ]);
});

test('an op stops the clock, overlapping waits once, and own promises count', async () => {
  const line = rig({ budgetMs: 300 });
  line.on(async (e, next, $) => {
    $.pause();
    $.pause();
    await later(350);
    $.resume();
    await later(350);
    $.resume();
    $.resume();
    return next(e);
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.trace()[0]?.outcome).toBe('passed');
  const other = rig({ budgetMs: 30 });
  other.on(async (e, next) => {
    await later(200);
    return next(e);
  });
  await other.run();
  expect(other.trace()[0]?.outcome).toBe('expired');
});

test('time before next, between two calls and after is one budget', async () => {
  const line = rig({ budgetMs: 60 });
  line.on(async (e, next) => {
    await later(40);
    await next(e);
    await later(200);
    return { text: 'mine' };
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.trace()[0]).toMatchObject({ outcome: 'expired', failure: 'budget' });
});

test('next.budget is read live', async () => {
  const line = rig({ budgetMs: 5000 });
  const seen: number[] = [];
  line.on(async (e, next) => {
    const { budget } = next;
    seen.push(budget.ms, budget.remainingMs);
    await later(20);
    seen.push(budget.remainingMs);
    return next(e);
  });
  await line.run();
  expect(seen[0]).toBe(5000);
  expect(seen[2]! < seen[1]!).toBe(true);
});

test('a budget of 0 meters nothing', async () => {
  const line = rig({ budgetMs: 10 });
  let budget: unknown;
  line.on(
    async (e, next) => {
      budget = { ...next.budget };
      await later(60);
      return next(e);
    },
    { budgetMs: 0 },
  );
  await line.run();
  expect(budget).toEqual({ ms: 0, remainingMs: Infinity });
  expect(line.trace()[0]?.outcome).toBe('passed');
});

test("expiry fires the hook's signal, and what it says later is discarded and reported", async () => {
  const line = rig({ budgetMs: 20 });
  const fired = gate<unknown>();
  const hold = gate<unknown>();
  const next2 = gate<unknown>();
  line.on(async (e, next) => {
    next.signal.addEventListener('abort', () => fired.open(next.signal.reason));
    const answer = await hold.promise;
    next(e).catch(next2.open);
    return answer;
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(await fired.promise).toMatchObject({ code: 'kernel.budget' });
  hold.open({ text: 'late' });
  expect(await next2.promise).toMatchObject({ code: 'kernel.late-next' });
  await later(1);
  expect(line.reports.map((report) => report.code)).toEqual(['kernel.budget', 'kernel.late']);
  expect(line.bottom).toHaveLength(1);
});

test('a hook that was settled over and still runs is reported after five seconds', async () => {
  const line = rig();
  line.on((e, next) => {
    next(e);
    return { deny: 'at once' };
  });
  line.on(never, { name: 'stuck' });
  await line.run();
  const other = rig({ budgetMs: 20 });
  other.on(never, { name: 'expired' });
  await other.run();
  expect(line.reports).toEqual([]);
  await later(5_300);
  expect(line.reports.map((report) => [report.code, report.link.name])).toEqual([['kernel.linger', 'stuck']]);
  expect(other.reports.map((report) => report.code)).toEqual(['kernel.budget', 'kernel.linger']);
});

test('a signal that is read late knows what happened before', async () => {
  const stop = new AbortController();
  const line = rig();
  const seen: unknown[] = [];
  line.on(async (e, next) => {
    stop.abort('ctrl-c');
    seen.push(next.signal.aborted, next.signal.reason);
    return next(e);
  });
  await line.run({ signal: stop.signal });
  expect(seen).toEqual([true, 'ctrl-c']);
});

test('so does one that is first read after a hook further out settled the dispatch', async () => {
  const line = rig();
  const hold = gate();
  const seen = gate<unknown>();
  line.on((e, next) => {
    next(e);
    return { deny: 'at once' };
  });
  line.on(async (_e, next) => {
    await hold.promise;
    seen.open(next.signal.aborted && next.signal.reason);
  });
  await line.run();
  hold.open();
  expect(await seen.promise).toMatchObject({ code: 'kernel.abandoned' });
});

test("the host's signal keeps no listener of a dispatch that is over", async () => {
  let listening = 0;
  const stop = new AbortController();
  const { signal } = stop;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening--;
    remove(...args);
  };
  const line = rig();
  for (let i = 0; i < 3; i++) line.on(async (e, next) => (next.signal.aborted ? { deny: 'no' } : next(e)));
  await line.run({ signal });
  expect(listening).toBe(0);
});

test("the host's signal fires every signal beneath, the bottom's too", async () => {
  const stop = new AbortController();
  const fired: string[] = [];
  const line = rig();
  const watch = (name: string) => async (e: unknown, next: { (e: unknown): unknown; signal: AbortSignal }) => {
    next.signal.addEventListener('abort', () => fired.push(name));
    return next(e);
  };
  line.on(watch('outer'));
  line.on(watch('inner'));
  const out = line.run({
    signal: stop.signal,
    bottom: (_e: never, { signal }: { signal: AbortSignal }) =>
      new Promise((_go, fail) =>
        signal.addEventListener('abort', () => {
          fired.push('bottom');
          fail(signal.reason);
        }),
      ),
  });
  await later(1);
  stop.abort(new Error('ctrl-c'));
  await expect(out).rejects.toThrow('ctrl-c');
  expect(fired).toEqual(['outer', 'inner', 'bottom']);
});
