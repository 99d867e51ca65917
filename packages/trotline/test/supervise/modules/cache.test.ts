import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCache } from '../../../src/supervise/modules/cache.ts';
import { type LoadedModule, loadModule } from '../../../src/supervise/modules/index.ts';
import { exported, thrownBy, type Workspace, workspace } from './support.ts';

const posix = process.platform !== 'win32';

interface Cached extends Workspace {
  readonly entry: string;
  readonly cacheDir: string;
  load(): Promise<LoadedModule>;
  /** The one file in the cache. */
  cached(): string;
}

function cached(files: Readonly<Record<string, string>>): Cached {
  const space = workspace(files);
  const entry = join(space.dir, 'hook.ts');
  const cacheDir = join(space.dir, 'state', 'cache');
  const folder = join(cacheDir, 'modules');
  return {
    ...space,
    entry,
    cacheDir,
    load: () => loadModule(entry, { cacheDir }),
    cached: () => {
      const names = readdirSync(folder);
      expect(names).toHaveLength(1);
      return join(folder, names[0] ?? '');
    },
  };
}

describe('a module that was compiled before', () => {
  test('comes from the cache, and does the same: exports, places, guards', async () => {
    const space = cached({
      'hook.ts': 'export * from "./a.ts";\nexport const spin = () => { while (true); };',
      'a.ts': '\n\nexport const fail = () => { throw new Error("x") };',
    });
    const first = await space.load();
    const second = await space.load();
    expect([first.fromCache, second.fromCache]).toEqual([false, true]);
    expect(second.inputs).toEqual(first.inputs);
    for (const module of [first, second]) {
      expect(module.placeOf(thrownBy(() => exported(module, 'fail')()))).toMatchObject({ line: 3 });
      const error = thrownBy(() => module.withBudget(10, () => exported(module, 'spin')()));
      expect(error).toMatchObject({ code: 'modules.busy-loop', detail: { file: space.entry, line: 2 } });
    }
  });

  test.each([
    ['the entry', 'hook.ts', 'export * from "./a.ts"; export const b = 2;'],
    ['a file that it imports', 'a.ts', 'export const a = 3;'],
    ['the data that it imports', 'data.json', '{"n": 3}'],
    ['the manifest of a package that it imports', 'node_modules/p/package.json', '{"name":"p","main":"./other.js"}'],
  ])('is compiled again when %s changes', async (_name, path, text) => {
    const space = cached({
      'hook.ts': 'export * from "./a.ts"; import d from "./data.json"; import p from "p"; export { d, p };',
      'a.ts': 'export const a = 1;',
      'data.json': '{"n": 1}',
      'node_modules/p/package.json': '{"name":"p","main":"./index.js"}',
      'node_modules/p/index.js': 'module.exports = 1;',
      'node_modules/p/other.js': 'module.exports = 2;',
    });
    await space.load();
    expect((await space.load()).fromCache).toBe(true);
    space.file(path, text);
    expect((await space.load()).fromCache).toBe(false);
    expect((await space.load()).fromCache).toBe(true);
  });

  test('is compiled again when a nearer file takes the place of an imported one', async () => {
    const space = cached({ 'hook.ts': 'export * from "./a.js";', 'a.ts': 'export const a = 1;' });
    await space.load();
    expect((await space.load()).fromCache).toBe(true);
    space.file('a.js', 'export const a = 2;');
    const module = await space.load();
    expect([module.fromCache, module.exports['a']]).toEqual([false, 2]);
  });

  test('is compiled again when a nearer package takes the place of an imported one', async () => {
    const space = cached({
      'app/hook.ts': 'import p from "p"; export { p };',
      'node_modules/p/package.json': '{"name":"p"}',
      'node_modules/p/index.js': 'module.exports = "far";',
    });
    const load = (): Promise<LoadedModule> => loadModule(join(space.dir, 'app/hook.ts'), { cacheDir: space.cacheDir });
    expect((await load()).exports['p']).toBe('far');
    space.file('app/node_modules/p/package.json', '{"name":"p"}');
    space.file('app/node_modules/p/index.js', 'module.exports = "near";');
    expect((await load()).exports['p']).toBe('near');
  });

  test('is told missing when a package that it imports is gone', async () => {
    const space = cached({
      'hook.ts': 'import p from "p"; export { p };',
      'node_modules/p/package.json': '{"name":"p"}',
      'node_modules/p/index.js': 'module.exports = 1;',
    });
    await space.load();
    rmSync(join(space.dir, 'node_modules'), { recursive: true });
    await expect(space.load()).rejects.toMatchObject({ code: 'modules.missing-package' });
  });

  test('is another one for other options', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;' });
    await space.load();
    const { cacheDir } = space;
    expect((await loadModule(space.entry, { cacheDir, guard: { enabled: false } })).fromCache).toBe(false);
    expect((await loadModule(space.entry, { cacheDir, virtual: { trotline: {} } })).fromCache).toBe(false);
    expect((await loadModule(space.entry, { cacheDir, jsx: { importSource: 'x' } })).fromCache).toBe(false);
    expect((await loadModule(space.entry, { cacheDir, guard: { budgetMs: 5 } })).fromCache).toBe(true);
  });
});

describe('the cache is not believed', () => {
  const damage: Readonly<Record<string, (file: string) => void>> = {
    'cut short': (file) => writeFileSync(file, readFileSync(file).subarray(0, -100)),
    empty: (file) => writeFileSync(file, ''),
    'changed in one place': (file) =>
      writeFileSync(file, readFileSync(file, 'latin1').replace('planted', 'PLANTED'), 'latin1'),
    'text of another kind': (file) => writeFileSync(file, 'module.exports = 1'),
  };
  test.each(Object.entries(damage))(
    'when a file is %s: it is told, built again, and whole again',
    async (_name, harm) => {
      const space = cached({ 'hook.ts': 'export const a = "planted";' });
      await space.load();
      harm(space.cached());
      const module = await space.load();
      expect([module.fromCache, module.exports['a']]).toEqual([false, 'planted']);
      expect(module.notes.map((note) => note.code)).toEqual(['modules.cache-damaged']);
      expect((await space.load()).fromCache).toBe(true);
    },
  );

  test.skipIf(!posix)('when a file may be written by others', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;' });
    await space.load();
    chmodSync(space.cached(), 0o666);
    const module = await space.load();
    expect(module.fromCache).toBe(false);
    expect(module.notes.map((note) => note.code)).toEqual(['modules.cache-refused']);
    expect(lstatSync(space.cached()).mode & 0o777).toBe(0o600);
  });

  test.skipIf(!posix)('when another user owns the folder: nothing is read and nothing written', async () => {
    const { dir } = workspace();
    const notes: string[] = [];
    const stranger = (process.getuid?.() ?? 0) + 1;
    expect(await openCache(dir, (note) => notes.push(note.code), stranger)).toBeUndefined();
    expect(notes).toEqual(['modules.cache-refused']);
    expect(readdirSync(join(dir, 'modules'))).toEqual([]);
  });

  test('when its folder is a link to somewhere else', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;', 'elsewhere/.keep': '', 'state/cache/.keep': '' });
    symlinkSync(join(space.dir, 'elsewhere'), join(space.cacheDir, 'modules'));
    const module = await space.load();
    expect(module.notes.map((note) => note.code)).toEqual(['modules.cache-refused']);
    expect(readdirSync(join(space.dir, 'elsewhere'))).toEqual(['.keep']);
  });

  test('when its place is a file: the module loads all the same', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;', 'state/cache': '' });
    const module = await space.load();
    expect(module.exports['a']).toBe(1);
    expect(module.notes.map((note) => note.code)).toEqual(['modules.cache-refused']);
  });
});

describe('the cache on disk', () => {
  test.skipIf(!posix)('is private, and is made private again', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;' });
    await space.load();
    const folder = join(space.cacheDir, 'modules');
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(lstatSync(space.cached()).mode & 0o777).toBe(0o600);
    chmodSync(folder, 0o755);
    await space.load();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  test('holds whole files only, however many write at once', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;' });
    await Promise.all(Array.from({ length: 8 }, () => space.load()));
    expect((await space.load()).fromCache).toBe(true);
    space.cached();
  });

  test('does not grow without end', async () => {
    const space = cached({ 'hook.ts': 'export const a = 1;' });
    await space.load();
    const folder = join(space.cacheDir, 'modules');
    for (let n = 0; n < 300; n++) writeFileSync(join(folder, `${n}.cjs`), '');
    rmSync(join(folder, '0.cjs'));
    space.file('hook.ts', 'export const a = 2;');
    await space.load();
    expect(readdirSync(folder)).toHaveLength(256);
    expect((await space.load()).fromCache).toBe(true);
  });

  test('is not made when nobody asks for it', async () => {
    const { dir, file } = workspace();
    await loadModule(file('hook.ts', 'export const a = 1;'));
    expect(readdirSync(dir)).toEqual(['hook.ts']);
    expect(existsSync(join(dir, 'hook.ts.bundle.cjs'))).toBe(false);
  });
});
