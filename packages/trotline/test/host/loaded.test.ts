import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The packages that a program loads, by a resolve hook that writes every module down. */
function packagesOf(program: string): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'trotline-loaded-'));
  try {
    const log = join(dir, 'log');
    writeFileSync(log, '');
    writeFileSync(
      join(dir, 'hook.mjs'),
      `import { appendFileSync } from 'node:fs';
       export async function load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context); }`,
    );
    writeFileSync(
      join(dir, 'register.mjs'),
      `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(join(dir, 'hook.mjs')).href)});`,
    );
    writeFileSync(join(dir, 'program.mjs'), program);
    execFileSync(
      process.execPath,
      ['--import', pathToFileURL(join(dir, 'register.mjs')).href, join(dir, 'program.mjs')],
      {
        env: { ...process.env, TROTLINE_HOME: join(dir, 'home') },
      },
    );
    const names = readFileSync(log, 'utf8')
      .split('\n')
      .map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1])
      .filter((name) => name !== undefined);
    return [...new Set(names)].sort();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const heavy =
  /^(ai|@ai-sdk\/.*|esbuild|oxc-parser|magic-string|@modelcontextprotocol\/.*|@clack\/.*|commander|picocolors)$/;

test('importing the host loads no model, no compiler, no MCP and nothing of the command line', () => {
  const loaded = packagesOf(`import ${JSON.stringify(pathToFileURL(join(dist, 'host/index.js')).href)};`);
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
});

test('opening a line without module hooks loads none of them either', () => {
  const loaded = packagesOf(
    `import { openLine } from ${JSON.stringify(pathToFileURL(join(dist, 'host/index.js')).href)};
     const line = await openLine({ cwd: ${JSON.stringify(tmpdir())}, managedFile: '/nonexistent/managed.json' });
     await line.close();`,
  );
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
});

test('importing the whole of trotline loads no provider before a model is asked', () => {
  const loaded = packagesOf(`import ${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)};`);
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
});
