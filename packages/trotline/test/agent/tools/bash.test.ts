import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createBash, GATE } from '../../../src/agent/tools/bash.ts';
import { toolContext } from '../support/context.ts';
import { tempDir } from '../support/temp.ts';

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(true_: () => boolean): Promise<void> {
  while (!true_()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a command runs in the working directory and its output reaches the model in order', async () => {
  const cwd = tempDir();
  const out = await createBash().run(
    { command: 'echo one > made; echo out; sleep 0.05; echo err >&2' },
    toolContext(cwd),
  );
  expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('one\n');
  expect(out).toEqual({
    result: { stdout: 'out\n', stderr: 'err\n', interrupted: false, isImage: false, exitCode: 0 },
    text: 'out\nerr\n',
  });
});

test('a failing command is an error that names its exit code and keeps its output', async () => {
  const out = await createBash().run({ command: 'echo partly; exit 3' }, toolContext(tempDir()));
  expect(out.isError).toBe(true);
  expect(out.text).toBe('Exit code 3\npartly\n');
});

test('a timeout ends the whole process group', async () => {
  const cwd = tempDir();
  const bash = createBash();
  const out = await bash.run({ command: 'sleep 60 & echo $! > child; sleep 60', timeout: 300 }, toolContext(cwd));
  expect(out.isError).toBe(true);
  expect(out.text).toContain('timeout');
  expect(out.result).toMatchObject({ interrupted: true });
  const child = Number(readFileSync(join(cwd, 'child'), 'utf8'));
  await until(() => !lives(child));
});

test('an abort ends the whole process group, one that ignores TERM too', async () => {
  const cwd = tempDir();
  const abort = new AbortController();
  const command = 'trap "" TERM; sleep 60 & echo $! > child; echo $$ > self; touch ready; while :; do sleep 1; done';
  const running = createBash().run({ command }, toolContext(cwd, abort.signal));
  await until(() => existsSync(join(cwd, 'ready')));
  abort.abort(new Error('stopped by the test'));
  await expect(running).rejects.toThrow('stopped by the test');
  const pids = ['child', 'self'].map((name) => Number(readFileSync(join(cwd, name), 'utf8')));
  await until(() => pids.every((pid) => !lives(pid)));
});

test('a background process does not hold the call, and ends with the tool', async () => {
  const cwd = tempDir();
  const bash = createBash();
  const out = await bash.run({ command: 'sleep 60 & echo $! > child; echo started' }, toolContext(cwd));
  expect(out.text).toBe('started\n');
  const child = Number(readFileSync(join(cwd, 'child'), 'utf8'));
  expect(lives(child)).toBe(true);
  await bash.close?.();
  await until(() => !lives(child));
});

test('output beyond the bound keeps its head and tail and says what is gone', async () => {
  const out = await createBash().run(
    { command: 'echo first; yes | head -c 200000; echo last' },
    toolContext(tempDir()),
  );
  expect(out.text.length).toBeLessThan(31_000);
  expect(out.text.startsWith('first\n')).toBe(true);
  expect(out.text.endsWith('last\n')).toBe(true);
  expect(out.text).toMatch(/\[17\d{4} characters left out\]/);
});

test('a command that reads its input gets none and ends', async () => {
  const out = await createBash().run({ command: 'cat; echo done' }, toolContext(tempDir()));
  expect(out.text).toBe('done\n');
});

test('a character cut in two by a pipe arrives whole', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'bytes'), 'é');
  const out = await createBash().run({ command: 'head -c 1 bytes; sleep 0.1; tail -c 1 bytes' }, toolContext(cwd));
  expect(out.text).toBe('é');
});

test('an input that does not fit the schema is named', () => {
  expect(createBash().check({})).toContain('command');
  expect(createBash().check({ command: 'true', timeout: -1 })).toContain('timeout');
  expect(createBash().check({ command: 'true' })).toBeUndefined();
});

test.each(['SIGKILL', 'SIGTERM', 'process.exit'] as const)(
  'a command, and what one before it left in the background, ends with the agent that is ended by %s',
  async (how) => {
    const cwd = tempDir();
    const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    await build({
      stdin: {
        contents: `
          import { createBash } from ${JSON.stringify(here('../../../src/agent/tools/bash.ts'))};
          const bash = createBash();
          const context = { cwd: ${JSON.stringify(cwd)}, env: process.env, signal: new AbortController().signal };
          await bash.run({ command: 'sleep 60 & echo $! > left' }, context);
          void bash.run({ command: 'trap "" TERM INT HUP; sleep 60 & echo $! > child; echo $$ > self; touch ready; while :; do sleep 1; done' }, context);
          process.stdin.on('data', () => process.exit(3));
        `,
        resolveDir: here('.'),
      },
      outfile: join(cwd, 'host.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      alias: { '@trotline/engine': here('../../../../engine/src/index.ts') },
    });
    const host = spawn(process.execPath, [join(cwd, 'host.mjs')], { stdio: ['pipe', 'inherit', 'inherit'] });
    await until(() => existsSync(join(cwd, 'ready')));
    const pids = ['left', 'child', 'self'].map((name) => Number(readFileSync(join(cwd, name), 'utf8')));
    expect(pids.every(lives)).toBe(true);
    if (how === 'process.exit') host.stdin?.write('now\n');
    else host.kill(how);
    await until(() => pids.every((pid) => !lives(pid)));
  },
  60_000,
);

test.each([
  ['go\n', true],
  ['', false],
])('a command begins at the word that its group is guarded, and never without it', async (word, begins) => {
  const cwd = tempDir();
  const child = spawn('/bin/sh', ['-c', GATE, 'sh', 'echo "$$" > made'], {
    cwd,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  (child.stdio[3] as Writable).end(word);
  await new Promise((ended) => child.on('close', ended));
  expect(existsSync(join(cwd, 'made'))).toBe(begins);
  if (begins) expect(Number(readFileSync(join(cwd, 'made'), 'utf8'))).toBe(child.pid);
});
