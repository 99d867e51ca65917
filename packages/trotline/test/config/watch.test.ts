import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ConfigWatch, type LoadedConfig, trust, watchConfig } from '../../src/config/index.ts';
import { type Workspace, workspace } from './workspace.ts';

const open: ConfigWatch[] = [];
afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
});

/** Waits for the next load that says what is wanted. */
async function watching(space: Workspace, options: object = {}) {
  const seen: LoadedConfig[] = [];
  let wake = () => {};
  const loaded = await space.load(options);
  open.push(
    watchConfig(loaded, (next) => {
      seen.push(next);
      wake();
    }),
  );
  return {
    seen,
    async until(wanted: (next: LoadedConfig) => boolean): Promise<LoadedConfig> {
      for (;;) {
        const found = seen.find(wanted);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

const denies = (tool: string) => (loaded: LoadedConfig) => loaded.merged.rules.some((rule) => rule.tool === tool);
const config = (tool: string) => ({ policy: { deny: [tool] } });

test('a file that is written in place is loaded again', async () => {
  const space = workspace();
  space.write('home/trotline.json', config('Bash'));
  const watch = await watching(space);
  space.write('home/trotline.json', config('Read'));
  const next = await watch.until(denies('Read'));
  expect(denies('Bash')(next)).toBe(false);
});

test('a file that is saved by renaming is seen every time', async () => {
  const space = workspace();
  space.write('home/trotline.json', config('T0'));
  const watch = await watching(space);
  for (const tool of ['T1', 'T2', 'T3']) {
    renameSync(space.write('home/new', config(tool)), join(space.home, 'trotline.json'));
    await watch.until(denies(tool));
  }
});

test('a file that appears where none was, with its folder, is loaded', async () => {
  const space = workspace();
  mkdirSync(join(space.project, 'a/b'), { recursive: true });
  const watch = await watching(space, { cwd: join(space.project, 'a/b') });
  expect(existsSync(space.home)).toBe(false);
  space.write('home/trotline.json', config('Bash'));
  await watch.until(denies('Bash'));
  space.write('managed.json', config('Read'));
  await watch.until(denies('Read'));
  space.write('project/a/trotline.json', config('Write'));
  await watch.until((next) => next.layers.some((layer) => layer.name === 'project'));
});

test('a file that goes takes its rules with it', async () => {
  const space = workspace();
  const file = space.write('home/trotline.json', config('Bash'));
  const watch = await watching(space);
  rmSync(file);
  await watch.until((next) => next.merged.rules.length === 0);
});

test('what a file extends, a module it names and the list of trust are watched too', async () => {
  const space = workspace();
  space.write('project/m.mjs', '1');
  space.write('project/base.json', config('Bash'));
  space.write('project/trotline.json', {
    extends: 'base.json',
    hooks: { builtins: { m: { enabled: true, module: 'm.mjs' } } },
  });
  const watch = await watching(space, { trustOnce: false });
  await trust(space.project, space);
  await watch.until((next) => next.layers[0]?.trust === 'trusted');
  space.write('project/m.mjs', '2');
  await watch.until((next) => next.layers[0]?.trust === 'changed');
  await trust(space.project, space);
  space.write('project/base.json', config('Read'));
  const next = await watch.until((one) => one.layers[0]?.rules[0]?.tool === 'Read');
  expect(next.layers[0]?.applied).toBe(false);
});

test('a file with errors is handed over with them, and a later one without', async () => {
  const space = workspace();
  space.write('home/trotline.json', config('Bash'));
  const watch = await watching(space);
  space.write('home/trotline.json', '{ "policy": ');
  await watch.until((next) => next.problems.some((problem) => problem.code === 'config.syntax'));
  space.write('home/trotline.json', config('Read'));
  await watch.until(denies('Read'));
});

test('after close nothing is loaded any more', async () => {
  const space = workspace();
  const file = space.write('home/trotline.json', config('Bash'));
  const closed = await watching(space);
  open.splice(0)[0]?.close();
  const other = await watching(space);
  writeFileSync(file, JSON.stringify(config('Read')));
  await other.until(denies('Read'));
  expect(closed.seen).toEqual([]);
});

test('closing gives back every watch', async () => {
  const space = workspace();
  space.write('home/trotline.json', config('Bash'));
  const loaded = await space.load();
  const watches = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  const before = watches();
  for (let i = 0; i < 20; i++) watchConfig(loaded, () => {}).close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(watches()).toBe(before);
});
