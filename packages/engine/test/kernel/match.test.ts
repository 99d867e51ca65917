import { expect, test } from 'vitest';
import type { Matcher } from '../../src/kernel/index.ts';
import { covers, fits } from '../../src/kernel/index.ts';
import { passing, rig } from './rig.ts';

const cases: [string, unknown, unknown, boolean][] = [
  ['an equal scalar matches', { a: 1 }, { a: 1 }, true],
  ['another scalar does not', { a: 1 }, { a: '1' }, false],
  ['null matches null only', { a: null }, { a: null }, true],
  ['a key that the event does not carry does not match', { b: 1 }, { a: 1 }, false],
  ['every named key must match', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
  ['keys that are not named do not matter', { a: 1 }, { a: 1, b: 3 }, true],
  ['a RegExp is run on text', { a: /^x/ }, { a: 'xy' }, true],
  ['a RegExp is run on numbers', { a: /^1/ }, { a: 12 }, true],
  ['a RegExp is run on booleans', { a: /true/ }, { a: true }, true],
  ['a RegExp is run on null', { a: /null/ }, { a: null }, true],
  ['a RegExp is run on plain objects', { a: /Object/ }, { a: {} }, true],
  ['a RegExp never matches an absent field', { a: /undefined/ }, {}, false],
  ['nor one that is there and undefined', { a: /undefined/ }, { a: undefined }, false],
  ['a list matches if any of it does', { a: ['x', /^y/] }, { a: 'yes' }, true],
  ['an empty list matches nothing', { a: [] }, { a: 'yes' }, false],
  ['a list in the event matches if any element does', { a: 5 }, { a: [1, 5] }, true],
  ['also within lists', { a: 5 }, { a: [[1], [[5]]] }, true],
  ['an empty list in the event matches nothing', { a: 5 }, { a: [] }, false],
  ['an object is partial and deep', { a: { b: { c: 1 } } }, { a: { b: { c: 1, d: 2 } } }, true],
  ['objects in a list in the event', { a: { b: 1 } }, { a: [{ b: 2 }, { b: 1 }] }, true],
  ['an empty object pattern admits any object', { a: {} }, { a: { b: 1 } }, true],
  ['and no text', { a: {} }, { a: 'x' }, false],
  ['an empty matcher admits every event', {}, { a: 1 }, true],
  ['what every object inherits is not carried', { toString: /native/ }, { a: 1 }, false],
  ['nor its constructor', { constructor: {} }, { a: 1 }, false],
];
test.each(cases)('%s', (_rule, matcher, e, expected) => {
  expect(fits(matcher as Matcher, e)).toBe(expected);
});

const nested = (depth: number): Matcher => (depth === 1 ? { a: 1 } : { a: nested(depth - 1) });
test('a matcher may be nested to 8', () => {
  expect(fits(nested(8), nested(8))).toBe(true);
  expect(() => fits(nested(9), {})).toThrow(expect.objectContaining({ code: 'kernel.matcher' }));
});

test.each([
  ['a RegExp that remembers (g)', { a: /x/g }],
  ['a RegExp that sticks (y)', { a: /x/y }],
  ['a function', { a: () => true }],
  ['a function deep inside', { a: { b: [() => true] } }],
  ['an absent value', { a: undefined }],
  ['a symbol', { a: Symbol('x') }],
  ['no object', /x/],
  ['a list', ['x']],
])('%s is refused at registration', (_what, matcher) => {
  const line = rig();
  expect(() => line.on((e, next) => next(e), { matcher: matcher as never })).toThrow(
    expect.objectContaining({ code: 'kernel.matcher' }),
  );
});

test('a matcher is read once: changing it afterwards changes nothing', async () => {
  const line = rig();
  const matcher = { tool: 'Bash' };
  let ran = 0;
  line.on(
    (e, next) => {
      ran++;
      return next(e);
    },
    { matcher },
  );
  matcher.tool = 'Edit';
  await line.run();
  expect(ran).toBe(1);
});

test('a matcher reads the event as it was handed to that link', async () => {
  const line = rig();
  const seen: string[] = [];
  line.on((e, next) => next({ ...e, command: 'git push' }));
  line.on(
    passing(() => seen.push('push')),
    { matcher: { command: /push/ } },
  );
  line.on(
    passing(() => seen.push('ls')),
    { matcher: { command: 'ls' } },
  );
  await line.run();
  expect(seen).toEqual(['push']);
});

test.each([
  ['tool.call', 'tool.call', true],
  ['tool.call', 'tool.check', false],
  ['tool.*', 'tool.call', true],
  ['tool.*', 'toolbox.call', false],
  ['a.b.*', 'a.b.c', true],
  ['*', 'anything.at.all', true],
  ['!tool.call', 'tool.call', false],
  ['!tool.call', 'fs.read', true],
  ['!tool.*', 'tool.check', false],
  ['!tool.*', 'fs.read', true],
])('%s on %s: %s', (pattern, name, expected) => {
  expect(covers(pattern, name)).toBe(expected);
});

test.each(['!*', '', '!', '**', '*.call', 'tool.*.x', '.x', 'tool.', '!!tool.call', 'tool call', 'tool.call\n'])(
  '%j is no pattern',
  (pattern) => {
    const line = rig();
    expect(() => line.on((e, next) => next(e), { pattern })).toThrow(
      expect.objectContaining({ code: 'kernel.pattern' }),
    );
  },
);

test('one hook under a glob and under the name is two links', async () => {
  const line = rig();
  let ran = 0;
  const hook = passing(() => ran++);
  line.on(hook, { pattern: '*' });
  line.on(hook, { pattern: 'tool.*' });
  line.on(hook);
  line.on(hook, { pattern: 'fs.*' });
  line.on(hook, { pattern: '*', except: (name) => name.startsWith('tool.') });
  await line.run();
  expect(ran).toBe(3);
});

test('next.is tells whether the event falls under a pattern', async () => {
  const line = rig();
  let answers: boolean[] = [];
  line.on((e, next) => {
    answers = [next.is('tool.*', e), next.is('fs.*', e)];
    return next(e);
  });
  await line.run();
  expect(answers).toEqual([true, false]);
});

test("a dialect's own test is asked beside the matcher, and its throw is the hook's failure", async () => {
  const line = rig();
  let ran = 0;
  line.on(
    passing(() => ran++),
    { when: (e) => e['tool'] === 'Edit' },
  );
  expect(await line.run()).toEqual({ text: 'ran' });
  line.on(
    passing(() => ran++),
    {
      onFailure: 'closed',
      when: () => {
        throw new Error('no such field');
      },
    },
  );
  expect((await line.run()) as { deny: string }).toMatchObject({ deny: expect.stringContaining('no such field') });
  expect(ran).toBe(0);
  expect(line.bottom).toHaveLength(1);
});
