import { expect, test } from 'vitest';
import type { Invocation } from '../../src/kernel/index.ts';
import { rig } from './rig.ts';

test('a hook is not entered by a dispatch that it caused, and the trace says so', async () => {
  const line = rig();
  let entered = 0;
  line.on(async (e, next, $: Invocation) => {
    entered++;
    if (entered > 3) throw new Error('endless');
    await line.run({ cause: $, e: { ...e, command: 'nested' } });
    expect(line.trace()[0]).toMatchObject({ outcome: 'skipped', code: 'kernel.re-entry' });
    return next(e);
  });
  await line.run();
  expect(entered).toBe(1);
  expect(line.bottom.map((e) => e.command)).toEqual(['nested', 'ls']);
});

test('its other hooks are, and two hooks that call each other end', async () => {
  const line = rig();
  const seen: string[] = [];
  const calling =
    (name: string) =>
    async (e: unknown, next: (e: unknown) => unknown, $: Invocation): Promise<unknown> => {
      seen.push(name);
      await line.run({ cause: $ });
      return next(e);
    };
  line.on(calling('a'));
  line.on(calling('b'));
  await line.run();
  // The outer dispatch meets a and b; a's meets b, whose own meets neither; b's meets a, whose own meets neither.
  expect(seen).toEqual(['a', 'b', 'b', 'a']);
});

test('a failing hook that is left out of a nested dispatch is not asked by its handler either', async () => {
  const line = rig();
  let asked = 0;
  line
    .on(async (e, next, $: Invocation) => {
      await line.run({ cause: $ });
      return next(e);
    })
    .catch((_$, e, next) => {
      asked++;
      return next(e);
    });
  await line.run();
  expect(asked).toBe(0);
});

test('control from a nested dispatch goes up through the hook that caused it', async () => {
  const { AbortTurn } = await import('../../src/kernel/index.ts');
  const line = rig();
  line.on(async (e, next, $: Invocation) => {
    await line.run({ cause: $ });
    return next(e);
  });
  line.on((_e, _next, $: Invocation) => {
    if ($.cause !== undefined) throw new AbortTurn('inner', 'stop');
    return { text: 'x' };
  });
  await expect(line.run()).rejects.toMatchObject({ hook: 'inner' });
});

test('a dispatch may pass owners by', async () => {
  const line = rig();
  line.on(() => ({ deny: 'no' }));
  expect(await line.run({ passes: (owner) => owner.tier === 'user' })).toEqual({ text: 'ran' });
});

test('origin, event, dryRun and the link are the same for all who ask', async () => {
  const line = rig();
  const seen: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    line.on(
      (e, next, $: Invocation) => {
        seen.push([next.origin, next.event, next.dryRun, $.dryRun, $.link.name, $.event, $.signal === next.signal]);
        return next(e);
      },
      { name: `hook${i}` },
    );
  }
  await line.run({ dryRun: true, origin: { plugin: 'm', tier: 'append' } });
  expect(seen).toEqual([
    [{ plugin: 'm', tier: 'append' }, 'tool.call', true, true, 'hook0', 'tool.call', true],
    [{ plugin: 'm', tier: 'append' }, 'tool.call', true, true, 'hook1', 'tool.call', true],
  ]);
});

test.each([
  ['plain', (e: unknown, next: (e: unknown) => unknown) => next(e)],
  ['async', async (e: unknown, next: (e: unknown) => unknown) => next(e)],
])('a chain of ten thousand %s hooks reaches the bottom once, past every one of them', async (_how, hook) => {
  const line = rig();
  let last = false;
  for (let i = 0; i < 10_000; i++) line.on(hook, { onFailure: 'closed' });
  line.on((e, next) => {
    last = true;
    return next(e);
  });
  expect(await line.run()).toEqual({ text: 'ran' });
  expect([line.bottom.length, last]).toEqual([1, true]);
  expect(line.reports).toEqual([]);
  expect(line.trace().length).toBe(10_002);
});
