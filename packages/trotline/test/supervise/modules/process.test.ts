import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundled, bundle } from './bundled.ts';
import { workspace } from './support.ts';

let programs: Bundled;
beforeAll(async () => {
  programs = await bundle({
    child: new URL('./fixtures/child.mjs', import.meta.url),
    realm: new URL('../../../src/supervise/modules/worker/realm.ts', import.meta.url),
  });
});
afterAll(() => programs.remove());

/** Runs a scenario to its natural end: a process that something holds open never gets there. */
async function run(...args: string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ['--expose-gc', programs.path('child'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0) throw new Error(errors);
  return JSON.parse(out) as Record<string, unknown>;
}

describe('a process that loads a module', () => {
  test('loads neither the bundler nor the parser when the module comes from the cache', async () => {
    const { dir, file } = workspace({ 'a.ts': 'export const a = 1;' });
    const entry = file('hook.ts', 'export * from "./a.ts"; export const spin = () => { while (true); };');
    const cacheDir = join(dir, 'cache');
    expect(await run('once', entry, cacheDir)).toMatchObject({ fromCache: false, bundler: true, parser: true });
    expect(await run('once', entry, cacheDir)).toMatchObject({ fromCache: true, bundler: false, parser: false });
  });

  test('has no helper process left, and ends by itself', async () => {
    const { dir, file } = workspace();
    const result = await run('once', file('hook.ts', 'export const a = 1;'), join(dir, 'cache'));
    expect(result).toMatchObject({ fromCache: false, children: [] });
  });

  test('is not held by a worker that nobody calls', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      'setInterval(() => {}, 1_000); console.log(1); export const register = (on: any) => on("*", () => 7);',
    );
    expect(await run('worker', entry)).toEqual({ value: 7 });
  });

  test('shows stacks in the lines of the file that was written', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      'type T = { readonly a: 1 };\n\nexport const fail = (t?: T) => {\n  for (;;) throw new Error(String(t));\n};',
    );
    const { stack, place } = await run('stack', entry);
    expect(stack).toContain(`${entry}:4:18`);
    expect(place).toEqual({ file: entry, line: 4, column: 18 });
  });

  test('keeps nothing of a module that it let go of: 200 reloads leave the heap within 1 MB', async () => {
    const { dir, file } = workspace();
    const filler = Array.from(
      { length: 300 },
      (_, n) => `export const f${n} = (x: number) => { for (const y of [x]) return y + ${n}; };`,
    );
    const entry = file(
      'hook.ts',
      `import { n } from 'n';\n${filler.join('\n')}\nexport const big = new Array(20_000).fill(n);\nexport const register = () => n;`,
    );
    const { grown } = await run('reload', entry, join(dir, 'cache'));
    expect(grown).toBeLessThan(1024 * 1024);
  });
});
