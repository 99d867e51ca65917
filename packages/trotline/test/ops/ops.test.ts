import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpBottom } from '@trotline/engine';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { envOps, fsOps, httpOps, processOps, storeOps, uiOps } from '../../src/ops/index.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trotline-ops-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type Ops = Readonly<Record<string, OpBottom>>;
const call = async (
  ops: Ops,
  name: string,
  e: Record<string, unknown>,
  signal = new AbortController().signal,
  plugin = 'a',
) => (ops[name] as OpBottom)(e, { signal, origin: { plugin, tier: 'user' } });
/** Gone, or a zombie that nobody has collected yet. */
const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
};

describe('fs', () => {
  test('what is written is read back, folders are made on the way', async () => {
    await call(fsOps(dir), 'fs.write', { path: 'a/b.txt', text: 'hé' });
    expect(readFileSync(join(dir, 'a/b.txt'), 'utf8')).toBe('hé');
    expect(await call(fsOps(dir), 'fs.read', { path: 'a/b.txt' })).toBe('hé');
    expect(await call(fsOps(dir), 'fs.read', { path: 'a/b.txt', as: 'bytes' })).toEqual({ base64: 'aMOp' });
  });

  test('a named pipe, a device, a folder and a file over 4 MiB are refused and never hang', async () => {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    writeFileSync(join(dir, 'big'), Buffer.alloc(4 * 1024 * 1024 + 1));
    for (const path of ['pipe', '/dev/zero', '.', 'big']) {
      await expect(call(fsOps(dir), 'fs.read', { path })).rejects.toThrow(/not a file|at most/);
    }
    await expect(call(fsOps(dir), 'fs.write', { path: 'x', text: 'x'.repeat(4 * 1024 * 1024 + 1) })).rejects.toThrow();
    expect(existsSync(join(dir, 'x'))).toBe(false);
  });

  test('a missing file rejects, exists answers, stat and list tell links', async () => {
    writeFileSync(join(dir, 'f'), '123');
    symlinkSync(join(dir, 'f'), join(dir, 'l'));
    symlinkSync(join(dir, 'nowhere'), join(dir, 'broken'));
    await expect(call(fsOps(dir), 'fs.read', { path: 'none' })).rejects.toThrow(/ENOENT/);
    expect(await call(fsOps(dir), 'fs.exists', { path: 'none' })).toBe(false);
    expect(await call(fsOps(dir), 'fs.stat', { path: 'l', resolve: true })).toMatchObject({
      kind: 'file',
      size: 3,
      isLink: true,
    });
    const listed = (await call(fsOps(dir), 'fs.list', {})) as { name: string; isLink: boolean }[];
    expect(listed.map((f) => [f.name, f.isLink])).toEqual([
      ['broken', true],
      ['f', false],
      ['l', true],
    ]);
  });

  test('ancestors finds named files upward, nearest first, and takes no path for a name', async () => {
    writeFileSync(join(dir, 'N.md'), 'outer');
    await call(fsOps(dir), 'fs.write', { path: 'in/N.md', text: 'inner' });
    const found = (await call(fsOps(join(dir, 'in')), 'fs.ancestors', { names: ['N.md'], below: dir })) as {
      content: string;
    }[];
    expect(found.map((f) => f.content)).toEqual(['inner', 'outer']);
    await expect(call(fsOps(dir), 'fs.ancestors', { names: ['../N.md'] })).rejects.toThrow(/not a name/);
  });
});

describe('process', () => {
  const ops = (): Ops => processOps(dir, { PATH: process.env['PATH'] });

  test('arguments reach the program as they are: there is no shell', async () => {
    const ran = await call(ops(), 'process.run', { argv: ['printf', '%s', '$(touch made); *'] });
    expect(ran).toMatchObject({ exitCode: 0, stdout: '$(touch made); *' });
    expect(existsSync(join(dir, 'made'))).toBe(false);
  });

  test('any exit code resolves, a missing program rejects', async () => {
    expect(
      await call(ops(), 'process.run', { argv: ['sh', '-c', 'cat; exit 3'], init: { stdin: 'in' } }),
    ).toMatchObject({
      exitCode: 3,
      stdout: 'in',
    });
    await expect(call(ops(), 'process.run', { argv: ['no-such-program-here'] })).rejects.toThrow(/cannot start/);
  });

  test('at the timeout and at an abort the whole group is gone, grandchildren included', async () => {
    const argv = ['sh', '-c', 'sleep 600 & echo $! > pid; wait'];
    await expect(call(ops(), 'process.run', { argv, init: { timeoutMs: 300 } })).rejects.toThrow(/ran past/);
    const first = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    await expect.poll(() => gone(first)).toBe(true);
    rmSync(join(dir, 'pid'));
    const stop = new AbortController();
    const running = call(ops(), 'process.run', { argv }, stop.signal);
    await expect.poll(() => existsSync(join(dir, 'pid')) && readFileSync(join(dir, 'pid'), 'utf8') !== '').toBe(true);
    stop.abort();
    await expect(running).rejects.toThrow(/abandoned/);
    const second = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    await expect.poll(() => gone(second)).toBe(true);
  });

  test('what a hook runs ends with the host, however the host ends', async () => {
    const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    const argv = ['sh', '-c', 'trap "" TERM HUP INT; sleep 600 & echo $! > child; echo $$ > self; touch ready; wait'];
    await build({
      stdin: {
        contents: `
          import { processOps } from ${JSON.stringify(here('../../src/ops/process.ts'))};
          const context = { signal: new AbortController().signal };
          await processOps(${JSON.stringify(dir)}, process.env)['process.run']({ argv: ${JSON.stringify(argv)} }, context);
        `,
        resolveDir: here('.'),
      },
      outfile: join(dir, 'host.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      alias: { '@trotline/engine': here('../../../engine/src/index.ts') },
    });
    const host = spawn(process.execPath, [join(dir, 'host.mjs')], { stdio: 'inherit' });
    await expect.poll(() => existsSync(join(dir, 'ready')), { timeout: 5_000 }).toBe(true);
    host.kill('SIGKILL');
    for (const name of ['child', 'self']) {
      const pid = Number(readFileSync(join(dir, name), 'utf8'));
      await expect.poll(() => gone(pid), { timeout: 10_000 }).toBe(true);
    }
  });

  test('output past 4 MiB is cut and said to be', async () => {
    const ran = await call(ops(), 'process.run', { argv: ['head', '-c', '5000000', '/dev/zero'] });
    expect(ran).toMatchObject({ isStdoutTruncated: true, isStderrTruncated: false });
    expect((ran as { stdout: string }).stdout.length).toBe(4 * 1024 * 1024);
  });
});

describe('store', () => {
  test('values outlive the line, each owner has its own, and no write among many is lost', async () => {
    const ops = storeOps(dir);
    await Promise.all(Array.from({ length: 20 }, (_, i) => call(ops, 'store.set', { key: `k${i}`, value: i })));
    await call(ops, 'store.set', { key: 'k1', value: 'other' }, undefined, 'b');
    const again = storeOps(dir);
    expect(((await call(again, 'store.keys', {})) as string[]).length).toBe(20);
    expect(await call(again, 'store.get', { key: 'k1' })).toBe(1);
    expect(await call(again, 'store.get', { key: 'k1' }, undefined, 'b')).toBe('other');
    await call(again, 'store.delete', { key: 'k1' });
    expect(await call(again, 'store.get', { key: 'k1' })).toBeUndefined();
  });

  test("an owner's name cannot lead out of the folder, nor __proto__ out of the record", async () => {
    await call(
      storeOps(join(dir, 's')),
      'store.set',
      { key: '__proto__', value: { polluted: 1 } },
      undefined,
      '../../evil',
    );
    expect(existsSync(join(dir, '..', 'evil.json'))).toBe(false);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('a store that would grow past 4 MiB is refused and the old one stays', async () => {
    const ops = storeOps(dir);
    await call(ops, 'store.set', { key: 'a', value: 1 });
    await expect(call(ops, 'store.set', { key: 'b', value: 'x'.repeat(5e6) })).rejects.toThrow(/more than/);
    expect(await call(ops, 'store.keys', {})).toEqual(['a']);
  });
});

test('env changes stay with the line', async () => {
  const ops = envOps({ A: '1' });
  await call(ops, 'env.set', { name: 'A', value: '2' });
  expect(await call(ops, 'env.get', { name: 'A' })).toBe('2');
  expect(await call(ops, 'env.get', { name: 'constructor' })).toBeUndefined();
  await expect(call(ops, 'env.set', { name: 'A=B', value: '' })).rejects.toThrow(/not the name/);
});

test('http.fetch answers status, headers and text, and refuses other schemes', async () => {
  const server = createServer((req, res) => res.writeHead(201, { 'X-A': 'b' }).end(`got ${req.method}`));
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await call(httpOps, 'http.fetch', { url, init: { method: 'PUT' } })).toMatchObject({
    status: 201,
    ok: true,
    text: 'got PUT',
    headers: { 'x-a': 'b' },
  });
  await expect(call(httpOps, 'http.fetch', { url: 'file:///etc/passwd' })).rejects.toThrow(/not http/);
  await new Promise((down) => server.close(down));
  await expect(call(httpOps, 'http.fetch', { url })).rejects.toThrow();
});

test('what a hook shows is bounded and carries its name', async () => {
  const shown: unknown[] = [];
  await call(
    uiOps((s) => shown.push(s)),
    'ui.log',
    { text: 'x'.repeat(20_000), to: 'debug' },
  );
  expect(shown).toEqual([{ by: 'a', kind: 'log', text: 'x'.repeat(10_000), to: 'debug' }]);
});
