import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

// Runs in a process of its own, with the collector in hand: the hooks await, rewrite, fail, expire, listen and abandon.
const program = `
import { createKernel } from './kernel.mjs';
const rules = {
  name: 'tool.call', stream: false, observe: false, budgetMs: 5, pinned: (f) => f === 'tool',
  eventMisfit: () => undefined, resultMisfit: (r) => (r?.text === undefined ? 'no text' : undefined),
};
const kernel = createKernel({ dollar: () => ({}), onReport: () => {}, onSettled: (_name, trace) => trace() });
const owner = { name: 'mod', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
const on = (hook) => kernel.register({ owner, pattern: 'tool.call', hook });
let n = 0;
on(async ($, e, next) => next({ ...e, command: 'x' }));
on(async ($, e, next) => { next.signal.addEventListener('abort', () => {}); return next(e); });
on(($, e, next) => { if (n % 10 === 0) throw new Error('boom'); return next(e); });
on(($, e, next) => (n % 500 === 0 ? new Promise(() => {}) : next(e)));
on(async ($, e, next) => { if (n % 100 === 0) { next(e); return { text: 'early' }; } return next(e); });
const stop = new AbortController();
const big = 'y'.repeat(1000);
async function dispatches(count) {
  for (let i = 0; i < count; i++) {
    n++;
    await kernel.dispatch(rules, {
      e: { tool: 'Bash', command: big + n, list: [{ n }] },
      origin: { plugin: 'engine', tier: 'core' },
      signal: stop.signal,
      bottom: async () => ({ text: big + n }),
    });
  }
}
// What lingers is let go of after five seconds at most; the rest at once.
const settle = async () => {
  await new Promise((go) => setTimeout(go, 5_300));
  for (let i = 0; i < 5; i++) { gc(); await new Promise((go) => setTimeout(go, 20)); }
  return process.memoryUsage().heapUsed;
};
await dispatches(1_000);
const before = await settle();
await dispatches(9_000);
const after = await settle();
console.log(after - before);
`;

test('ten thousand dispatches leave nothing behind: less than 1 MB between the thousandth and the ten thousandth', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trotline-memory-'));
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/kernel/index.ts', import.meta.url))],
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'kernel.mjs'),
    });
    writeFileSync(join(folder, 'run.mjs'), program);
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', join(folder, 'run.mjs')], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(Number(stdout)).toBeLessThan(1024 * 1024);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
