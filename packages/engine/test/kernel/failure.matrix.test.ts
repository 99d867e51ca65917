import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FailurePolicy } from '../../src/kernel/index.ts';
import { AbortTurn, HookFailure } from '../../src/kernel/index.ts';
import { block, gate, type Hook, later, owner, passing, rig } from './rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'trotline-kernel-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

const budgetMs = 30;
type Failing = { readonly hook: Hook; readonly failure: string; readonly late?: true };
const trap = () => {
  throw new Error('not to be looked at');
};
const hostile = () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap });
const never = () => new Promise(() => undefined);

/** Every way to fail before `next`, by how the hook is written. */
const failures: Record<'sync' | 'async', Record<string, Failing>> = {
  sync: {
    throws: {
      hook: () => {
        throw new Error('boom');
      },
      failure: 'throw',
    },
    'throws what throws when it is looked at': {
      hook: () => {
        throw hostile();
      },
      failure: 'throw',
    },
    'returns nothing': { hook: () => undefined, failure: 'shape' },
    'returns the wrong shape': { hook: () => ({ txt: 'x' }), failure: 'shape' },
    'returns a function': { hook: () => () => 1, failure: 'shape' },
    'rewrites what is pinned': { hook: (e, next) => next({ ...e, tool: 'Write' }), failure: 'rewrite' },
    'answers late': {
      hook: () => {
        block(budgetMs * 2);
        return { text: 'late' };
      },
      failure: 'late',
      late: true,
    },
  },
  async: {
    rejects: { hook: async () => Promise.reject(new Error('boom')), failure: 'throw' },
    'rejects with what throws when it is looked at': { hook: async () => Promise.reject(hostile()), failure: 'throw' },
    'never answers': { hook: () => never(), failure: 'budget' },
    'answers late': {
      hook: async () => {
        await later(budgetMs * 4);
        return { text: 'late' };
      },
      failure: 'budget',
    },
    'returns nothing': { hook: async () => undefined, failure: 'shape' },
    'returns the wrong shape': { hook: async () => ({ txt: 'x' }), failure: 'shape' },
    'rewrites what is pinned': { hook: async (e, next) => next({ ...e, tool: 'Write' }), failure: 'rewrite' },
    'says how it failed': {
      hook: async () => Promise.reject(new HookFailure('crash', 'process exited with code 1')),
      failure: 'crash',
    },
  },
};

describe.each(['sync', 'async'] as const)('a hook written %s', (kind) => {
  describe.each(Object.keys(failures[kind]))('that %s', (way) => {
    const { hook, failure, late } = failures[kind][way] as Failing;

    const attempt = async (onFailure: FailurePolicy, onAsk?: () => boolean) => {
      const made = join(folder, String(count++));
      const line = rig({ budgetMs }, () => {
        writeFileSync(made, '');
        return { text: 'ran' };
      });
      line.on(hook, { onFailure, name: 'guard' });
      const out = await line.run({ onAsk });
      return { out, ran: existsSync(made), entry: line.trace()[0], line };
    };

    test('fails open: the tool runs', async () => {
      const { out, ran, entry, line } = await attempt('open');
      if (late) {
        expect(out).toEqual({ text: 'late' });
        expect(entry).toMatchObject({ outcome: 'returned', code: 'kernel.overrun' });
        expect(line.reports.map((report) => report.code)).toEqual(['kernel.overrun']);
        return;
      }
      expect([out, ran]).toEqual([{ text: 'ran' }, true]);
      expect(entry).toMatchObject({
        outcome: failure === 'budget' ? 'expired' : 'skipped',
        failure,
        code: `kernel.${failure}`,
      });
      expect(line.reports[0]).toMatchObject({ code: `kernel.${failure}`, event: 'tool.call' });
    });

    test('fails closed: the tool does not run, and the refusal names the hook and the cause', async () => {
      const { out, ran, entry } = await attempt('closed');
      expect(ran).toBe(false);
      expect(entry).toMatchObject({ outcome: 'refused', failure });
      expect((out as { deny: string }).deny).toContain('guard');
      expect((out as { deny: string }).deny).toContain(entry?.reason);
    });

    test('asks: somebody takes the question on, and the chain goes on', async () => {
      const { out, ran, entry } = await attempt('ask', () => true);
      expect([out, ran]).toEqual([{ text: 'ran' }, true]);
      expect(entry).toMatchObject({ failure, notes: [{ code: 'kernel.asked' }] });
    });

    test('asks where nobody can be asked: closed', async () => {
      for (const onAsk of [undefined, () => false]) {
        const { out, ran } = await attempt('ask', onAsk);
        expect(ran).toBe(false);
        expect(out).toHaveProperty('deny');
      }
    });
  });
});

test('a failure after next resolved keeps that result and runs nothing again', async () => {
  const line = rig();
  line.on(async (e, next) => {
    await next(e);
    throw new Error('boom');
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.bottom).toHaveLength(1);
  expect(line.trace()[0]).toMatchObject({ outcome: 'kept', code: 'kernel.throw', reason: 'threw Error: boom' });
});

test('the last of several next results is the one that is kept', async () => {
  let count = 0;
  const line = rig({}, () => ({ text: String(++count) }));
  line.on(async (e, next) => {
    await next(e);
    await next(e);
    return 'wrong shape';
  });
  expect(await line.run()).toEqual({ text: '2' });
});

test('the last call counts, not the one that came to something last', async () => {
  const slow = gate<{ text: string }>();
  const line = rig({}, (e) => (e.command === 'slow' ? slow.promise : { text: 'fast' }));
  line.on(async (e, next) => {
    const first = next({ ...e, command: 'slow' });
    await next({ ...e, command: 'fast' });
    slow.open({ text: 'slow' });
    await first;
    throw new Error('boom');
  });
  expect(await line.run()).toEqual({ text: 'fast' });
});

test('a failure while next is in flight waits for that run and lets it stand', async () => {
  const hold = gate<{ text: string }>();
  const line = rig({}, () => hold.promise);
  line.on((e, next) => {
    next(e);
    throw new Error('boom');
  });
  const out = line.run();
  hold.open({ text: 'slow' });
  expect(await out).toEqual({ text: 'slow' });
  expect(line.bottom).toHaveLength(1);
});

test('a failure after next rejected lets that rejection travel on', async () => {
  const line = rig({}, () => Promise.reject(new Error('disk full')));
  line.on(async (e, next) => {
    await next(e).catch(() => undefined);
    throw new Error('mine');
  });
  await expect(line.run()).rejects.toThrow('disk full');
});

test('failing closed after next resolved withholds the result and says that the tool ran', async () => {
  const line = rig();
  line.on(
    async (e, next) => {
      await next(e);
      throw new Error('boom');
    },
    { onFailure: 'closed', name: 'redactor' },
  );
  const { deny } = (await line.run()) as { deny: string };
  expect(deny).toContain('the tool ran, and its result is withheld');
  expect(line.bottom).toHaveLength(1);
});

test('an ask after next is closed', async () => {
  const line = rig();
  line.on((e, next) => void next(e), { onFailure: 'ask' });
  let asked = 0;
  expect(await line.run({ onAsk: () => ++asked > 0 })).toHaveProperty('deny');
  expect(asked).toBe(0);
});

test('failing closed while the tool runs tells it to stop and does not wait for it', async () => {
  const told = gate<boolean>();
  const line = rig();
  line.on(
    (e, next) => {
      next(e);
      throw new Error('boom');
    },
    { onFailure: 'closed' },
  );
  const out = (await line.run({
    bottom: (_e: never, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => told.open(true));
      return never();
    },
  })) as { deny: string };
  expect(out.deny).toContain('told to stop');
  expect(await told.promise).toBe(true);
});

test('where the event has no refusal, failing closed ends the turn', async () => {
  const { refusal: _, ...none } = rig().rules;
  const bare = rig(none);
  const kernelRules = { ...bare.rules, refusal: undefined };
  const line = rig(kernelRules as never);
  line.on(() => undefined, { onFailure: 'closed', name: 'guard' });
  await expect(line.run()).rejects.toBeInstanceOf(AbortTurn);
  expect(line.bottom).toEqual([]);
});

test('failing closed on an event that is only observed is refused at registration', () => {
  const line = rig({ observe: true });
  for (const onFailure of ['closed', 'ask'] as const) {
    expect(() => line.on((e, next) => next(e), { onFailure })).toThrow(
      expect.objectContaining({ code: 'kernel.policy' }),
    );
  }
});

test('by a pattern it stands there open, and the trace says so', async () => {
  const line = rig({ observe: true });
  line.on(() => undefined, { onFailure: 'closed', pattern: '*' });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.trace()[0]).toMatchObject({ outcome: 'skipped', notes: [{ code: 'kernel.observe-open' }] });
});

test('a dialect may word the refusal, and one that fails at it gets ours', async () => {
  const line = rig();
  line.on(() => undefined, { onFailure: 'closed', refusalText: (failure) => `Blocked (${failure.class}).`, name: 'a' });
  expect(await line.run()).toEqual({ deny: 'Blocked (shape).' });
  const other = rig();
  other.on(() => undefined, {
    onFailure: 'closed',
    name: 'guard',
    refusalText: () => {
      throw new Error('no words');
    },
  });
  expect(((await other.run()) as { deny: string }).deny).toContain('guard');
});

test('one hook that fails is skipped alone: the others stand', async () => {
  const line = rig();
  line.on((e, next) => next({ ...e, command: 'outer' }));
  line.on(() => undefined);
  line.on((e, next) => next({ ...e, cwd: '/inner' }));
  await line.run();
  expect(line.bottom).toEqual([{ tool: 'Bash', id: 'c1', cwd: '/inner', command: 'outer' }]);
});

test('what a hook throws is told in bounded words, however hostile it is', async () => {
  const line = rig();
  const hostile = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('again');
    },
  });
  for (const thrown of [hostile, 'text', null, undefined, { toString: 1 }, new Error('long '.repeat(100_000))]) {
    line.on(() => {
      throw thrown;
    });
  }
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.reports).toHaveLength(6);
  for (const { message } of line.reports) expect(message.length).toBeLessThan(600);
});

test('a thenable that misbehaves is a failure like another', async () => {
  const line = rig();
  line.on(() => ({
    get then() {
      throw new Error('no then');
    },
  }));
  line.on(() => ({
    then: (resolve: (v: unknown) => void) => {
      resolve(undefined);
      throw new Error('too late to matter');
    },
  }));
  line.on(() => ({ then: 'no function', text: 'plain data' }));
  expect(await line.run()).toEqual({ then: 'no function', text: 'plain data' });
  expect(line.trace().map((entry) => entry.outcome)).toEqual(['skipped', 'skipped', 'returned']);
});

test("a person's interrupt is not a failure: what a hook throws then goes up as the interrupt", async () => {
  const stop = new AbortController();
  const line = rig();
  line.on(
    async (_e, next) => {
      await new Promise((_go, fail) => next.signal.addEventListener('abort', () => fail(new Error('aborted'))));
    },
    { onFailure: 'closed' },
  );
  const out = line.run({ signal: stop.signal });
  stop.abort(new Error('ctrl-c'));
  await expect(out).rejects.toThrow('ctrl-c');
  expect(line.reports).toEqual([]);
  expect(line.bottom).toEqual([]);
});

test('observe-only: a different return changes nothing, a wrong one fails, and what lies beneath always runs', async () => {
  const line = rig({ observe: true });
  let inner = 0;
  line.on(async (e, next) => ({ ...(await next(e)), text: 'changed' }));
  line.on(() => ({ text: 'answered' }));
  line.on(passing(() => inner++));
  expect(await line.run()).toEqual({ text: 'ran' });
  expect([inner, line.bottom.length]).toEqual([1, 1]);
  expect(
    line
      .trace()
      .slice(0, 2)
      .map((entry) => entry.code),
  ).toEqual(['kernel.observed', 'kernel.observed']);
});

test('an event may put back what a hook had no right to change, and the trace has its code', async () => {
  const line = rig(
    {
      reconcile: (own, beneath, who) => {
        expect(who.name).toBe('mod');
        const { context } = (beneath ?? {}) as { context?: string };
        return context === undefined
          ? { value: own }
          : { value: { ...(own as object), context }, code: 'event.kept-context' };
      },
    },
    () => ({ text: 'ran', context: 'kept' }),
  );
  line.on(async (e, next) => ({ text: (await next(e)).text.toUpperCase() }));
  expect(await line.run()).toEqual({ text: 'RAN', context: 'kept' });
  expect(line.trace()[0]).toMatchObject({ outcome: 'returned', code: 'event.kept-context' });
});

test('an answer that does not fit what lies beneath is a failure', async () => {
  const line = rig({
    reconcile: (own, beneath) =>
      beneath !== undefined && 'deny' in (own as object)
        ? { value: own, misfit: 'a deny after the tool ran' }
        : { value: own },
  });
  line.on(async (e, next) => {
    await next(e);
    return { deny: 'too late' };
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.trace()[0]).toMatchObject({
    outcome: 'kept',
    failure: 'shape',
    reason: expect.stringContaining('a deny after the tool ran'),
  });
});

test('a generator on an event that is no stream is refused at registration', () => {
  const line = rig();
  const hook = async function* () {
    yield 1;
  };
  const { kernel } = line;
  expect(() => kernel.register({ owner: owner(), pattern: 'tool.call', hook })).toThrow(
    expect.objectContaining({ code: 'kernel.hook' }),
  );
});

test('what is no function is refused at registration, as hook and as handler', () => {
  const { kernel, on } = rig();
  const wrong = { owner: owner(), pattern: 'tool.call', hook: 'x' as never };
  expect(() => kernel.register(wrong)).toThrow(expect.objectContaining({ code: 'kernel.hook' }));
  expect(() => on((e, next) => next(e)).catch(1 as never)).toThrow(expect.objectContaining({ code: 'kernel.hook' }));
});
