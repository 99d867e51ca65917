import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

const denying = (word: string): string =>
  `export const register = (on) => {
     on('tool.call', { tool: 'Bash' }, ($, e, next) => (e.command.includes('${word}') ? { deny: 'no ${word}' } : next(e)));
   };`;
const config = (module: string) => ({ hooks: { builtins: { guard: { enabled: true, module, on_error: 'closed' } } } });

test('a saved file is taken without a restart', async () => {
  w.file('home/trotline.json', config('./a.ts'));
  w.file('home/a.ts', denying('apple'));
  w.file('home/b.ts', denying('banana'));
  const line = await w.open({ allow: ['*'], watch: true });
  expect((await bash(line, 'echo apple')).deny).toBe('no apple');
  w.file('home/trotline.json', config('./b.ts'));
  await expect.poll(async () => (await bash(line, 'echo banana')).deny, { timeout: 10_000 }).toBe('no banana');
  expect((await bash(line, 'echo apple')).text).toBe('apple\n');
});

test('a change in a module alone is taken too', async () => {
  w.file('home/trotline.json', config('./a.ts'));
  w.file('home/a.ts', denying('apple'));
  const line = await w.open({ allow: ['*'], watch: true });
  w.file('home/a.ts', denying('cherry'));
  await expect.poll(async () => (await bash(line, 'echo cherry')).deny, { timeout: 10_000 }).toBe('no cherry');
});

test.each([
  ['a syntax error', '{ "hooks": '],
  ['an unknown key', '{ "hoks": {} }'],
  ['a guard whose module is gone', JSON.stringify(config('./gone.ts'))],
  ['a guard that does not compile', JSON.stringify(config('./broken.ts'))],
  ['a guard that throws', JSON.stringify(config('./throws.ts'))],
])('a reload with %s keeps the old set and says why', async (_, text) => {
  w.file('home/trotline.json', config('./a.ts'));
  w.file('home/a.ts', denying('apple'));
  w.file('home/broken.ts', 'export const = ;');
  w.file('home/throws.ts', 'throw new Error("boom");');
  const line = await w.open({ allow: ['*'] });
  w.file('home/trotline.json', text);
  const { changed, problems } = await line.reload();
  expect(changed).toBe(false);
  expect(problems.some((p) => p.severity === 'error' && p.file !== undefined)).toBe(true);
  expect((await bash(line, 'touch apple')).deny).toBe('no apple');
  expect(existsSync(join(w.project, 'apple'))).toBe(false);
});

test('calls under way while the set changes are all judged by one set or the other', async () => {
  w.file('home/trotline.json', config('./a.ts'));
  w.file('home/a.ts', denying('fruit'));
  w.file('home/b.ts', denying('fruit'));
  const line = await w.open({ allow: ['*'] });
  const calls: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i++) {
    w.file('home/trotline.json', config(i % 2 === 0 ? './b.ts' : './a.ts'));
    const reload = line.reload();
    for (let k = 0; k < 5; k++)
      calls.push(bash(line, `touch fruit-${i}-${k}`).then((out) => expect(out.deny).toBe('no fruit')));
    await reload;
  }
  await Promise.all(calls);
});
