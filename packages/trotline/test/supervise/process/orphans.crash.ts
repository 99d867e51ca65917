import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { alive, FAKE_HOOK, until } from './support.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const strays: number[] = [];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trotline-orphans-'));
  await build({
    entryPoints: [here('../../../src/supervise/process/index.ts')],
    outfile: join(folder, 'process.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { '@trotline/engine': here('../../../../engine/src/index.ts') },
  });
});

afterEach(() => {
  for (const pid of strays.splice(0)) if (alive(pid)) process.kill(pid, 'SIGKILL');
});

afterAll(() => rm(folder, { recursive: true }));

/** A host process of its own with a hook that ignores the end of stdin and SIGTERM, and two stubborn grandchildren. */
async function startHost(
  ...modes: string[]
): Promise<{ host: ChildProcess; below: number[]; ended: Promise<unknown[]> }> {
  const host = spawn(
    process.execPath,
    [here('./fixtures/host.mjs'), join(folder, 'process.mjs'), FAKE_HOOK, ...modes],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const ended = once(host, 'exit');
  const [line] = (await once(createInterface({ input: host.stdout! }), 'line')) as [string];
  const [pid, ...below] = JSON.parse(line) as number[];
  strays.push(...below);
  expect(pid).toBe(host.pid);
  expect(below.length).toBeGreaterThan(1);
  return { host, below, ended };
}

/** The child of the host that is a shell. */
function guardianOf(host: ChildProcess): number | undefined {
  const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((pid) => alive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh'));
}

describe('when our own process ends, nothing of a hook is left, though it and its grandchildren ignore SIGTERM', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s', async (signal) => {
    const { host, below, ended } = await startHost();
    expect(below.every(alive)).toBe(true);
    host.kill(signal);
    // Nothing of ours stands between the application and the signal's default.
    expect(await ended).toEqual([null, signal]);
    await until(() => !below.some(alive));
  });

  it('by process.exit', async () => {
    const { below, ended } = await startHost('exit');
    expect(await ended).toEqual([0, null]);
    await until(() => !below.some(alive));
  });

  it('by an error that nobody caught', async () => {
    const { below, ended } = await startHost('throw');
    expect(await ended).toEqual([1, null]);
    await until(() => !below.some(alive));
  });

  it('because nothing but an idle hook was left to do', async () => {
    const { below, ended } = await startHost('idle');
    expect(await ended).toEqual([0, null]);
    await until(() => !below.some(alive));
  });

  it.runIf(process.platform === 'linux')(
    'by SIGKILL after its guardian was killed, for that was replaced',
    async () => {
      const { host, below } = await startHost();
      const first = guardianOf(host)!;
      process.kill(first, 'SIGKILL');
      await until(() => ![undefined, first].includes(guardianOf(host)));
      host.kill('SIGKILL');
      await until(() => !below.some(alive));
    },
  );

  it("by the application's own handler of the signal, which runs undisturbed", async () => {
    const { host, below, ended } = await startHost('own-sigint');
    host.kill('SIGINT');
    expect(await ended).toEqual([9, null]);
    await until(() => !below.some(alive));
  });
});
