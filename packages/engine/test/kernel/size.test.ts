import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const bytes = 10_752;

test(`the kernel, bundled for a browser, minified and gzipped, stays within ${bytes} bytes and imports nothing`, async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../../src/kernel/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
  });
  const inputs = Object.keys(result.metafile.inputs);
  expect(inputs.filter((path) => !path.includes('src/kernel/'))).toEqual([]);
  const size = gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length;
  expect(size).toBeLessThanOrEqual(bytes);
});
