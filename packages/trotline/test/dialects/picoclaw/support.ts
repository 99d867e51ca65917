import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine, type Engine, type EngineOptions } from '@trotline/engine';
import { afterEach } from 'vitest';
import {
  type InstalledProcesses,
  installPicoclawProcesses,
  type PicoclawOptions,
  type ProcessSpec,
} from '../../../src/dialects/picoclaw/index.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function cleanUp(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trotline-picoclaw-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An entry of `hooks.processes` as the configuration reads it. */
export function spec(entry: Partial<ProcessSpec>): ProcessSpec {
  return {
    name: 'hook',
    command: [process.execPath, fixture('hook.mjs')],
    dir: process.cwd(),
    env: {},
    observe: [],
    intercept: [],
    dialect: 'auto',
    restart: { enabled: false, max: 5, windowMs: 60_000, backoffMs: 250 },
    priority: 0,
    layer: 'person',
    place: { file: 'trotline.json', line: 1, column: 1 },
    timeouts: { observerMs: 500, interceptorMs: 5000, approvalMs: 5000, handshakeMs: 10_000 },
    ...entry,
  };
}

export interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly notification: boolean;
}

/** A hook to be scripted: `replies` by stage, and what was sent to it. */
export interface Scripted {
  readonly spec: ProcessSpec;
  sent(): Promise<readonly Sent[]>;
}

export async function scripted(
  replies: Readonly<Record<string, unknown>>,
  entry: Partial<ProcessSpec> & { readonly hello?: object } = {},
): Promise<Scripted> {
  const { hello, ...rest } = entry;
  const log = join(await tempFolder(), 'log');
  const byMethod = Object.fromEntries(Object.entries(replies).map(([stage, reply]) => [`hook.${stage}`, reply]));
  return {
    spec: spec({
      intercept: Object.keys(replies),
      ...rest,
      env: {
        LOG: log,
        REPLIES: JSON.stringify(byMethod),
        ...(hello === undefined ? {} : { HELLO: JSON.stringify(hello) }),
      },
    }),
    sent: async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Sent]));
    },
  };
}

/** An engine with process hooks on it; both end with the test. */
export async function lineWith(
  processes: readonly ProcessSpec[],
  options: PicoclawOptions & { readonly engine?: EngineOptions } = {},
): Promise<{ engine: Engine; installed: InstalledProcesses }> {
  const { engine: engineOptions, ...rest } = options;
  const engine = createEngine(engineOptions);
  const installed = await installPicoclawProcesses(engine, { processes, ...rest });
  cleanUp(async () => {
    await installed.close();
    await engine.close();
  });
  return { engine, installed };
}

/** Waits until something holds; the test's own timeout says when it never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
