import { expect, test } from 'vitest';
import { AbortTurn } from '../../src/kernel/index.ts';
import { gate, later, rig } from './rig.ts';

test('a hook that returns next(e) changes nothing', async () => {
  const line = rig();
  line.on((e, next) => next(e));
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.bottom).toEqual([{ tool: 'Bash', id: 'c1', cwd: '/w', command: 'ls' }]);
});

test('what a hook passes to next is what lies beneath sees', async () => {
  const line = rig();
  line.on((e, next) => next({ ...e, command: 'ls -la' }));
  line.on((e, next) => next({ ...e, command: `${e.command} /tmp` }));
  await line.run();
  expect(line.bottom[0]?.command).toBe('ls -la /tmp');
});

test('a hook that answers without next keeps all that lies beneath from running', async () => {
  const line = rig();
  let inner = 0;
  line.on(() => ({ deny: 'no' }));
  line.on((e, next) => {
    inner++;
    return next(e);
  });
  expect(await line.run()).toEqual({ deny: 'no' });
  expect([inner, line.bottom.length]).toEqual([0, 0]);
});

test('a changed result goes up in place of the first', async () => {
  const line = rig();
  line.on(async (e, next) => ({ ...(await next(e)), note: 'outer' }));
  line.on(async (e, next) => ({ ...(await next(e)), text: 'changed' }));
  expect(await line.run()).toEqual({ text: 'changed', note: 'outer' });
});

test('next called twice runs everything beneath twice', async () => {
  const line = rig();
  let inner = 0;
  line.on(async (e, next) => {
    await next(e);
    return next({ ...e, command: 'again' });
  });
  line.on((e, next) => {
    inner++;
    return next(e);
  });
  await line.run();
  expect(line.bottom.map((e) => e.command)).toEqual(['ls', 'again']);
  expect(inner).toBe(2);
});

test('next without an argument rejects and names the hook', async () => {
  const line = rig();
  let error: unknown;
  line.on(
    async (e, next) => {
      try {
        await next();
      } catch (caught) {
        error = caught;
      }
      return next(e);
    },
    { name: 'watcher' },
  );
  await line.run();
  expect(error).toMatchObject({ code: 'kernel.no-argument' });
  expect(String(error)).toContain('watcher');
});

test('next after the hook has answered rejects, and nothing runs', async () => {
  const line = rig();
  const done = gate<unknown>();
  line.on((e, next) => {
    setTimeout(() => next(e).catch(done.open), 0);
    return { deny: 'no' };
  });
  await line.run();
  expect(await done.promise).toMatchObject({ code: 'kernel.late-next' });
  expect(line.bottom).toEqual([]);
});

test('returning while next is pending fires the signals beneath, and what waits there cannot go on downwards', async () => {
  const line = rig();
  const fired = gate<unknown>();
  const after = gate<unknown>();
  line.on((e, next) => {
    next(e);
    return { deny: 'at once' };
  });
  line.on(async (e, next) => {
    await new Promise((go) => next.signal.addEventListener('abort', go));
    fired.open(next.signal.reason);
    next(e).catch(after.open);
    return next(e);
  });
  expect(await line.run()).toEqual({ deny: 'at once' });
  expect(await fired.promise).toMatchObject({ code: 'kernel.abandoned' });
  expect(await after.promise).toMatchObject({ code: 'kernel.abandoned' });
  await later(1);
  expect(line.bottom).toEqual([]);
});

test.each([
  ['throws', (reason: unknown) => Promise.reject(reason)],
  ['answers wrongly', () => undefined],
])('an abandoned hook that then %s is not replaced by running what lies beneath', async (_how, end) => {
  const line = rig();
  line.on((e, next) => {
    next(e);
    return { deny: 'at once' };
  });
  line.on(async (_e, next) => {
    await new Promise((go) => next.signal.addEventListener('abort', go));
    return end(next.signal.reason);
  });
  expect(await line.run()).toEqual({ deny: 'at once' });
  await later(5);
  expect(line.bottom).toEqual([]);
  expect(line.reports).toEqual([]);
});

test('a hook that returns while only its first of two calls is pending aborts that one alone', async () => {
  const seen: boolean[] = [];
  const line = rig({}, () => ({ text: 'ran' }));
  const hold = gate();
  line.on(async (e, next) => {
    next({ ...e, command: 'slow' });
    return next({ ...e, command: 'fast' });
  });
  line.on(async (e, next) => {
    if (e.command === 'slow') {
      next.signal.addEventListener('abort', () => hold.open());
      await hold.promise;
    }
    seen.push(next.signal.aborted);
    return next(e);
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  await later(1);
  expect(seen).toEqual([false, true]);
  expect(line.bottom.map((e) => e.command)).toEqual(['fast']);
});

test('a rejection from beneath that a hook lets through is not its failure', async () => {
  const boom = new Error('disk full');
  const line = rig({}, () => {
    throw boom;
  });
  line.on(async (e, next) => next(e), { onFailure: 'closed', name: 'guard' });
  await expect(line.run()).rejects.toBe(boom);
  expect(line.trace().map((entry) => entry.outcome)).toEqual(['rejected', 'rejected']);
  expect(line.reports).toEqual([]);
});

test('a rejection from beneath that a hook turns into a result is a result', async () => {
  const line = rig({}, () => Promise.reject(new Error('disk full')));
  line.on((e, next) => next(e).catch(() => ({ deny: 'disk full' })));
  expect(await line.run()).toEqual({ deny: 'disk full' });
});

test('where no hook and no bottom returns a promise, none is made', () => {
  const line = rig();
  line.on((e, next) => next(e));
  const out = line.kernel.dispatch(line.rules, {
    e: { tool: 'Bash' },
    origin: { plugin: 'engine', tier: 'core' },
    bottom: () => ({ text: 'at once' }),
  });
  expect(out).toEqual({ text: 'at once' });
});

test('an event that nobody stands on goes straight to the bottom', async () => {
  const line = rig();
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.bottom).toHaveLength(1);
});

test('a hook taken off during a dispatch stays in that dispatch and is gone in the next', async () => {
  const line = rig();
  let ran = 0;
  const hold = gate();
  line.on(async (e, next) => {
    await hold.promise;
    return next(e);
  });
  const off = line.on((e, next) => {
    ran++;
    return next(e);
  });
  const first = line.run();
  off();
  off();
  hold.open();
  await first;
  expect(ran).toBe(1);
  await line.run();
  expect(ran).toBe(1);
});

test('a hook added during a dispatch is not in it', async () => {
  const line = rig();
  let ran = 0;
  line.on((e, next) => {
    if (ran === 0)
      line.on((inner, go) => {
        ran++;
        return go(inner);
      });
    return next(e);
  });
  await line.run();
  expect(ran).toBe(0);
  await line.run();
  expect(ran).toBe(1);
});

test('a rejection that nobody looks at does not end the process, wherever beneath it arose', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const ways: ((line: ReturnType<typeof rig>) => void)[] = [
      (line) => line.on(async () => Promise.reject(new AbortTurn('inner', 'stop'))),
      (line) => line.on(() => undefined).catch(async () => Promise.reject(new AbortTurn('handler', 'stop'))),
      (line) => line.on(async () => undefined).catch(async () => Promise.reject(new AbortTurn('handler', 'stop'))),
      (line) => line.on((e, next) => next(e), { half: 'after' }),
      (line) => line.on((_e, next) => next()),
      () => undefined,
    ];
    for (const way of ways) {
      const line = rig({}, async () => Promise.reject(new Error('disk full')));
      line.on(async (e, next) => {
        next(e);
        await later(2);
        return { deny: 'at once' };
      });
      way(line);
      await line.run().catch(() => undefined);
      await later(2);
    }
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(unhandled).toEqual([]);
});
