import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const budget = 10_752;

const bundle = (format: 'esm' | 'iife') =>
  build({
    entryPoints: [fileURLToPath(new URL('../../src/kernel/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    globalName: format === 'iife' ? 'kernel' : undefined,
    format,
    platform: 'browser',
  } as never) as ReturnType<typeof build<{ write: false; metafile: true }>>;

test(`the kernel, bundled for a browser, minified and gzipped, stays within ${budget} bytes and imports nothing`, async () => {
  const { metafile, outputFiles } = await bundle('esm');
  expect(Object.keys(metafile.inputs).filter((path) => !path.includes('src/kernel/'))).toEqual([]);
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(budget);
});

test('it runs where there is nothing but the language, a clock, timers and AbortController', async () => {
  const { outputFiles } = await bundle('iife');
  const context = createContext({ AbortController, performance, setTimeout, setInterval, clearInterval });
  const out = runInContext(
    `${outputFiles[0]!.text}
    const line = kernel.createKernel({ dollar: () => ({}) });
    const owner = { name: 'mod', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
    const on = (hook, more) => line.register({ owner, pattern: 'tool.call', hook, ...more });
    on(async ($, e, next) => ({ ...(await next({ ...e, command: 'rewritten' })), aborted: next.signal.aborted }));
    on(() => new Promise(() => undefined), { budgetMs: 20 });
    const rules = {
      name: 'tool.call', stream: false, observe: false, budgetMs: 1000,
      pinned: () => false, eventMisfit: () => undefined, resultMisfit: () => undefined,
    };
    const origin = { plugin: 'engine', tier: 'core' };
    line.dispatch(rules, { e: { command: 'ls' }, origin, bottom: (e) => ({ text: e.command }) });`,
    context,
  );
  expect(await out).toEqual({ text: 'rewritten', aborted: false });
});
