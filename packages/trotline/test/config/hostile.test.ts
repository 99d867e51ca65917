import { truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codesOf, workspace } from './workspace.ts';

test('a file of 50 MB is refused', async () => {
  const space = workspace();
  const file = space.write('project/trotline.json', '{}');
  truncateSync(file, 50 * 1024 * 1024);
  expect((await space.load()).problems).toMatchObject([{ code: 'config.too-large', file }]);
});

test.each([
  ['lists', '['.repeat(400_000)],
  ['objects', '{"a":'.repeat(150_000)],
  ['closed lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['mismatched brackets', '[}'.repeat(100_000)],
])('nesting that would exhaust the stack is refused: %s', async (_, text) => {
  const space = workspace();
  space.write('project/trotline.json', text);
  expect((await space.load()).problems).toMatchObject([{ code: 'config.too-deep', line: 1 }]);
});

test('64 levels are still read', async () => {
  const space = workspace();
  const config = `${'['.repeat(59)}${']'.repeat(59)}`;
  space.write('home/trotline.json', `{"hooks":{"builtins":{"x":{"enabled":true,"config":{"a":${config}}}}}}`);
  expect((await space.load()).problems).toEqual([]);
});

test('a file of a million small values is refused', async () => {
  const space = workspace();
  space.write('project/trotline.json', `{"policy":{"deny":[${'1,'.repeat(500_000)}1]}}`);
  expect((await space.load()).problems).toMatchObject([{ code: 'config.too-large' }]);
});

test('a file with thousands of mistakes shows a hundred and says that there are more', async () => {
  const space = workspace();
  const keys = Array.from({ length: 5000 }, (_, index) => `"x${index}": 1`);
  space.write('project/trotline.json', `{${keys.join(',\n')}}`);
  const codes = codesOf(await space.load());
  expect(codes.filter((code) => code === 'config.unknown-key')).toHaveLength(100);
  expect(codes.filter((code) => code === 'config.more-problems')).toHaveLength(1);
});

test.each(['__proto__', 'constructor', 'prototype'])(
  'the key %s reaches no prototype, wherever it stands',
  async (key) => {
    const space = workspace();
    space.write(
      'home/trotline.json',
      `{ "${key}": { "polluted": 1 }, "hooks": { "builtins": { "${key}": { "enabled": true }, "a": { "enabled": true, "config": { "${key}": { "polluted": 1 } } } },
      "processes": { "b": { "enabled": true, "command": ["b"], "intercept": ["before_tool"], "env": { "${key}": "polluted" } } } },
      "policy": { "deny": [{ "tool": "Bash", "match": { "${key}": "x" } }] } }`,
    );
    const { problems, merged } = await space.load();
    expect(problems.map((problem) => problem.code)).toEqual(Array(5).fill('config.reserved-key'));
    expect(merged.hooks.map((hook) => hook.name)).toEqual(['a', 'b']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const [a, b] = merged.hooks;
    expect(a?.kind === 'builtin' && Object.getPrototypeOf(a.config)).toBe(Object.prototype);
    expect(b?.kind === 'process' && Object.keys(b.env)).toEqual([]);
  },
);

test('names reach no terminal with the power to steer it', async () => {
  const space = workspace();
  space.write(
    'project/trotline.json',
    '{ "\\u001b[31m\\u202e": 1, "hooks": { "builtins": { "a\\u001bb": { "enabled": true } } } }',
  );
  const { problems } = await space.load();
  expect(problems).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(problems.map((one) => `${one.what}${one.key}${one.expected}`).join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
});

test('a hundred files that extend each other end in one error', async () => {
  const space = workspace();
  for (let i = 0; i < 100; i++) space.write(`project/${i}.json`, { extends: `${i + 1}.json` });
  space.write('project/trotline.json', { extends: '0.json' });
  space.write('project/100.json', '{}');
  expect((await space.load()).problems).toMatchObject([{ code: 'config.too-large' }]);
});

test('two files that extend the same base read it once', async () => {
  const space = workspace();
  space.write('project/base.json', { policy: { deny: ['Bash'] } });
  space.write('project/a.json', { extends: 'base.json' });
  space.write('project/b.json', { extends: 'base.json' });
  space.write('project/trotline.json', { extends: ['a.json', 'b.json'] });
  const { problems, merged } = await space.load();
  expect(problems).toEqual([]);
  expect(merged.rules.map((rule) => rule.tool)).toEqual(['Bash']);
});
