import { expect, test } from 'vitest';
import { type Event, owner, rig } from './rig.ts';

/** Seats a hook in two halves, as a dialect does that promises one order both ways. */
function seat(line: ReturnType<typeof rig>, name: string, seen: string[], priority = 0): void {
  const spec = { owner: owner(name), priority, name };
  line.on(
    (e, next) => {
      seen.push(`before ${name}`);
      return next(e);
    },
    { ...spec, half: 'before' },
  );
  line.on(
    async (e, next) => {
      const out = await next(e);
      seen.push(`after ${name}`);
      return { ...out, text: `${out.text} ${name}` };
    },
    { ...spec, half: 'after' },
  );
}

test('both halves of several hooks run in the same order down and back up', async () => {
  const line = rig();
  const seen: string[] = [];
  seat(line, 'b', seen, 2);
  seat(line, 'a', seen, 1);
  seat(line, 'c', seen, 3);
  expect(await line.run()).toEqual({ text: 'ran a b c' });
  expect(seen).toEqual(['before a', 'before b', 'before c', 'after a', 'after b', 'after c']);
});

test('an after half sees every rewrite of its tier, and no answer of a before half', async () => {
  const line = rig();
  const seen: Event[] = [];
  line.on(
    async (e, next) => {
      seen.push(e);
      return next(e);
    },
    { half: 'after' },
  );
  line.on((e, next) => next({ ...e, command: 'rewritten' }));
  await line.run();
  expect(seen.map((e) => e.command)).toEqual(['rewritten']);
  line.on(() => ({ text: 'answered' }));
  await line.run();
  expect(seen).toHaveLength(1);
});

test.each([
  ['an answer of a tier further in', () => ({ text: 'answered' })],
  ['a deny of a tier further in', () => ({ deny: 'no' })],
])('an after half does not see %s', async (_what, hook) => {
  const line = rig();
  let after = 0;
  line.on(
    (e, next) => {
      after++;
      return next(e);
    },
    { half: 'after' },
  );
  line.on(hook, { owner: owner('inner', { tier: 'append' }) });
  const out = await line.run();
  expect(out).toEqual(hook());
  expect(after).toBe(0);
});

test('nor a refusal of the bottom itself, nor a rejection', async () => {
  let after = 0;
  const hook = () => {
    after++;
    return undefined;
  };
  const denied = rig({}, () => ({ deny: 'by a rule' }));
  denied.on(hook, { half: 'after' });
  expect(await denied.run()).toEqual({ deny: 'by a rule' });
  const rejected = rig({}, async () => Promise.reject(new Error('disk full')));
  rejected.on(hook, { half: 'after' });
  await expect(rejected.run()).rejects.toThrow('disk full');
  expect(after).toBe(0);
});

test('an after half that fails open keeps the result, and one that fails closed withholds it', async () => {
  const open = rig();
  open.on(() => undefined, { half: 'after' });
  expect(await open.run()).toEqual({ text: 'ran' });
  expect(open.trace()[0]?.outcome).toBe('kept');
  const closed = rig();
  closed.on(() => undefined, { half: 'after', onFailure: 'closed' });
  expect((await closed.run()) as { deny: string }).toMatchObject({ deny: expect.stringContaining('the tool ran') });
});

test('next in an after half tells the result again and runs nothing, however often', async () => {
  const line = rig({}, async () => ({ text: 'ran' }));
  line.on(
    async (e, next) => {
      await next({ ...e, command: 'unread' });
      return next(e);
    },
    { half: 'after' },
  );
  expect(await line.run()).toEqual({ text: 'ran' });
  expect(line.bottom.map((e) => e.command)).toEqual(['ls']);
});
