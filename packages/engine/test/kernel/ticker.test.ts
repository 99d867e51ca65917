import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'trotline-ticker-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/kernel/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'kernel.mjs'),
  });
});

/** Runs a dispatch in a process that has nothing else to do, and answers what it printed before it ended by itself. */
function alone(hook: string, bottom: string): string | undefined {
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { createKernel } from './kernel.mjs';
    const rules = {
      name: 'tool.call', stream: false, observe: false, budgetMs: 100,
      pinned: () => false, eventMisfit: () => undefined, resultMisfit: () => undefined,
    };
    const owner = { name: 'mod', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
    const kernel = createKernel({ dollar: () => ({}) });
    kernel.register({ owner, pattern: 'tool.call', hook: ${hook} });
    const origin = { plugin: 'engine', tier: 'core' };
    Promise.resolve(kernel.dispatch(rules, { e: {}, origin, bottom: ${bottom} })).then((out) => console.log(out.text));`,
  );
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'run.mjs')], {
    encoding: 'utf8',
    timeout: 15_000,
  });
  return status === 0 ? stdout.trim() : undefined;
}

test('a hook that never answers holds the process until its budget is over: a guard is not left out by an exit', () => {
  expect(alone('() => new Promise(() => undefined)', '() => ({ text: "went on" })')).toBe('went on');
});

test('a hook that waits for what lies beneath does not: its clock stands, and the ticker with it', () => {
  expect(alone('async ($, e, next) => next(e)', '() => new Promise(() => undefined)')).toBe('');
});

test('nor does one that has answered', () => {
  expect(alone('async ($, e, next) => next(e)', 'async () => ({ text: "done" })')).toBe('done');
});
