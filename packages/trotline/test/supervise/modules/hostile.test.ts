import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadModule } from '../../../src/supervise/modules/index.ts';
import { exported, failure, workspace } from './support.ts';

describe('a file that is none', () => {
  test('a folder is refused', async () => {
    const { dir } = workspace();
    mkdirSync(join(dir, 'hook.ts'));
    expect(await failure(loadModule(join(dir, 'hook.ts')))).toMatchObject({ code: 'modules.unreadable' });
  });

  test.skipIf(process.platform === 'win32')(
    'a named pipe is refused and never waited for, as entry and as import',
    async () => {
      const { dir, file } = workspace();
      execFileSync('mkfifo', [join(dir, 'pipe.ts')]);
      const entry = await failure(loadModule(join(dir, 'pipe.ts')));
      expect(entry.code).toBe('modules.unreadable');
      expect(entry.message).toContain('named pipe');
      const imported = await failure(loadModule(file('hook.ts', 'export * from "./pipe.ts";')));
      expect(imported.message).toContain('named pipe');
      expect(imported.detail.file).toBe(join(dir, 'pipe.ts'));
    },
  );

  test.skipIf(process.platform === 'win32')('a device is refused', async () => {
    const { dir } = workspace();
    symlinkSync('/dev/zero', join(dir, 'hook.ts'));
    expect((await failure(loadModule(join(dir, 'hook.ts')))).code).toBe('modules.unreadable');
  });

  test('50 MB are refused unread', async () => {
    const { dir, file } = workspace();
    closeSync(openSync(join(dir, 'big.ts'), 'w'));
    truncateSync(join(dir, 'big.ts'), 50 * 1024 * 1024);
    for (const entry of [join(dir, 'big.ts'), file('hook.ts', 'export * from "./big.ts";')]) {
      const error = await failure(loadModule(entry));
      expect(error.code).toBe('modules.unreadable');
      expect(error.message).toContain('52,428,800');
    }
  });

  test('bytes that are no text are refused', async () => {
    const { file } = workspace();
    const zero = file('zero.ts', 'export const a = "\0";');
    const latin = file('latin.ts', Buffer.from([...Buffer.from('export const a = "'), 0xe9, 0x22]));
    for (const entry of [zero, latin]) expect((await failure(loadModule(entry))).code).toBe('modules.unreadable');
  });

  test('symbolic links in a circle are refused', async () => {
    const { dir } = workspace();
    symlinkSync(join(dir, 'b.ts'), join(dir, 'a.ts'));
    symlinkSync(join(dir, 'a.ts'), join(dir, 'b.ts'));
    const error = await failure(loadModule(join(dir, 'a.ts')));
    expect(error.code).toBe('modules.unreadable');
    expect(error.message).toContain('leads back to itself');
  });

  test('an ending that is not a module is refused', async () => {
    const { file } = workspace();
    for (const name of ['hook.py', 'hook.json', 'hook']) {
      expect((await failure(loadModule(file(name, '{}')))).code).toBe('modules.unreadable');
    }
    const imported = await failure(loadModule(file('hook.ts', 'import "./style.css"; export const a = 1;')));
    expect(imported.code).toBe('modules.not-found');
    file('style.css', 'a {}');
    expect((await failure(loadModule(file('hook.ts', 'import "./style.css"; export const a = 1;')))).code).toBe(
      'modules.unreadable',
    );
  });

  test('brackets nested beyond all measure are refused before a parser sees them', async () => {
    const { file } = workspace();
    const deep = file('hook.ts', `export const a = ${'['.repeat(50_000)}${']'.repeat(50_000)};`);
    expect((await failure(loadModule(deep))).code).toBe('modules.unreadable');
  });
});

describe('a module that misbehaves while it loads', () => {
  test('files that import each other in a circle load', async () => {
    const { file } = workspace({
      'b.ts': 'import { a } from "./hook.ts"; export const b = () => a;',
    });
    const module = await loadModule(
      file('hook.ts', 'import { b } from "./b.ts"; export const a = 1; export const c = () => b();'),
    );
    expect(exported(module, 'c')()).toBe(1);
  });

  test('a top level that never ends waiting is given up', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      'export const a = 1; setInterval(() => {}, 1000).unref(); await new Promise(() => {});',
    );
    const error = await failure(loadModule(entry, { loadTimeoutMs: 50 }));
    expect(error.code).toBe('modules.load-timeout');
    expect(error.detail.file).toBe(entry);
  });

  test.each([
    ['a loop', 'while (true);'],
    ['a loop that swallows', 'for (;;) { try { for (;;); } catch {} }'],
    ['a loop after an await', 'await null; for (;;);'],
    ['a loop of awaits', 'for (;;) await null;'],
    ['a loop whose error is swallowed', 'try { for (;;); } catch {}'],
    ['a loop after an await whose error is swallowed', 'await null; try { for (;;); } catch {}'],
  ])('%s at the top level is stopped and named', async (_name, statement) => {
    const { file } = workspace();
    const entry = file('hook.ts', `export const a = 1;\n${statement}`);
    const error = await failure(loadModule(entry, { guard: { budgetMs: 40 } }));
    expect(error.code).toBe('modules.busy-loop');
    expect(error.detail).toMatchObject({ file: entry, line: 2 });
  });

  test('a change to what all hooks share is told', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      'Object.defineProperty(Object.prototype, "__planted", { value: 1, configurable: true }); export const a = 1;',
    );
    try {
      const module = await loadModule(entry);
      expect(module.notes).toEqual([
        { code: 'modules.tampered', text: expect.stringContaining('Object.prototype.__planted') },
      ]);
    } finally {
      Reflect.deleteProperty(Object.prototype, '__planted');
    }
    const quiet = await loadModule(file('quiet.ts', 'export const a = 1;'));
    expect(quiet.notes).toEqual([]);
  });

  test('names that mean something to objects are plain exports', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'const p = 1; export { p as __proto__, p as constructor, p as toString };');
    const module = await loadModule(entry);
    expect(Object.keys(module.exports).sort()).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.values(module.exports)).toEqual([1, 1, 1]);
    expect(Object.getPrototypeOf(module.exports)).toBeNull();
  });
});
