import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const run = fileURLToPath(new URL('./run.mjs', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'trotline-main-job-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const start = (...args: string[]) =>
  spawnSync(process.execPath, [run, ...args], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'], HOME: temporary, TMPDIR: temporary },
  });

test('npm start runs to its end without a key, proves its effects, and leaves nothing behind', () => {
  const { status, stdout, stderr } = start();
  expect(stderr).toContain('folders are not deleted here');
  expect(stdout).toContain('✔ summary.md was written');
  expect(stdout).toContain('✔ archive/2023.csv is still there');
  expect(stdout).not.toContain('✖');
  for (const hook of ['guard', 'limits', 'redactor', 'a rule']) expect(stdout.split('›')[0]).toContain(hook);
  expect(stderr).toMatch(/↳ limits made it: timeout = 10000/);
  expect(stderr).toMatch(/↳ redactor let the model read: .*api_token = \[secret removed\]/);
  expect(stdout).toMatch(/Now yours\n {2}trotline init/);
  expect(stdout + stderr).not.toContain('tok-7f3a9c2e41d8');
  expect(status).toBe(0);
  expect(readdirSync(temporary).filter((name) => name.startsWith('trotline-demo-'))).toEqual([]);
}, 60_000);

test('what it claims is so in the folder that it leaves with --keep', () => {
  const { stdout } = start('--keep', '--json');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = lines.find(({ type }) => type === 'demo');
  expect(told.effects.every(({ holds }: { holds: boolean }) => holds)).toBe(true);
  expect(told.hooks).toContainEqual(expect.objectContaining({ hook: 'guard', denied: [expect.any(String)] }));
  expect(told.hooks).toContainEqual(expect.objectContaining({ hook: 'redactor', rewroteResults: 1 }));
  expect(told.hooks).toContainEqual(expect.objectContaining({ hook: 'limits', rewroteCalls: expect.any(Number) }));
  const [kept] = readdirSync(temporary).filter((name) => name.startsWith('trotline-demo-'));
  const shop = join(temporary, String(kept), 'shop');
  expect(readFileSync(join(shop, 'summary.md'), 'utf8')).toContain('4210');
  expect(readdirSync(join(shop, 'archive'))).toEqual(['2023.csv']);
}, 60_000);

test('--live without a key says which variable is missing', () => {
  const { status, stderr } = start('--live');
  expect(status).toBe(2);
  expect(stderr).toContain('ANTHROPIC_API_KEY');
});
