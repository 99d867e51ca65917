import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const bin = join(root, 'packages/trotline/bin/trotline.js');
const buildLock = join(tmpdir(), 'trotline-test-build.lock');

/** Compiles what these tests start, if it is older than the sources. One test file builds, the others wait. */
export async function ensureBuilt(): Promise<void> {
  const held = (): boolean => {
    try {
      mkdirSync(buildLock);
      return false;
    } catch {
      return true;
    }
  };
  const since = Date.now();
  while (held()) {
    if (Date.now() - since > 120_000) rmSync(buildLock, { recursive: true, force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    const main = statSync(join(root, 'packages/trotline/dist/cli/main.js'), { throwIfNoEntry: false });
    const sources = Math.max(newest(join(root, 'packages/engine/src')), newest(join(root, 'packages/trotline/src')));
    if (main !== undefined && main.mtimeMs >= sources) return;
    spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'pipe' });
  } finally {
    rmSync(buildLock, { recursive: true, force: true });
  }
}

function newest(folder: string): number {
  return Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    }),
  );
}

/** A folder to work in and a home of its own. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  /** Writes a file beneath `cwd`, and its folders; answers its path. */
  write(path: string, text: string): string;
  remove(): void;
}

export function makePlace(files: Readonly<Record<string, string>> = {}): Place {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-cli-')));
  const [cwd, home] = [join(top, 'work'), join(top, 'home')];
  mkdirSync(cwd);
  mkdirSync(home, { mode: 0o700 });
  const write = (path: string, text: string): string => {
    const full = join(cwd, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { cwd, home, write, remove: () => rmSync(top, { recursive: true, force: true }) };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** The environment of a started command: nothing of the tests' own surroundings but the path. */
export const environment = (place: Place, env: StartOptions['env'] = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: place.home,
  TROTLINE_HOME: join(place.home, 'trotline'),
  ...env,
});

/** A command that runs. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once stdout and stderr together contain the text; rejects if the command ends before. */
  seen(text: string): Promise<void>;
}

export function start(place: Place, args: readonly string[], options: StartOptions = {}): Started {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? place.cwd,
    env: environment(place, options.env),
    stdio: 'pipe',
  });
  let [stdout, stderr, both] = ['', '', ''];
  let over = false;
  const waiting = new Set<() => void>();
  const note = (): void => {
    for (const look of waiting) look();
  };
  child.stdout?.on('data', (bytes: Buffer) => {
    stdout += bytes;
    both += bytes;
    note();
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes;
    both += bytes;
    note();
  });
  child.stdin?.on('error', () => {});
  if (options.input !== undefined) child.stdin?.end(options.input);
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      note();
      resolve({ code, signal, stdout, stderr });
    });
  });
  return {
    child,
    ended,
    seen: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!both.includes(text) && !over) return;
          waiting.delete(look);
          if (both.includes(text)) resolve();
          else reject(new Error(`it ended without saying ${JSON.stringify(text)}:\n${both}`));
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Runs a command to its end; its stdin is empty unless given. */
export const trotline = (place: Place, args: readonly string[], options: StartOptions = {}): Promise<Ended> =>
  start(place, args, { input: '', ...options }).ended;

/** Lines of JSON as objects. */
export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A script of written turns. */
export const script = (...turns: readonly object[]): string => JSON.stringify({ turns });
