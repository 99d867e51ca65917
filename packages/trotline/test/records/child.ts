import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** A program made of `body` that may use `openRecords` and has its arguments in `args`, as a file that plain Node runs. */
export function childProgram(body: string): { readonly file: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'trotline-child-'));
  const file = join(dir, 'child.mjs');
  symlinkSync(path('../../../../node_modules'), join(dir, 'node_modules'));
  buildSync({
    stdin: {
      contents: `import { openRecords } from './index.ts';\nconst args = process.argv.slice(2);\n${body}`,
      resolveDir: path('../../src/records'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql'],
    alias: { '@trotline/engine': path('../../../engine/src/index.ts') },
    outfile: file,
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
