import { describe, expect, test } from 'vitest';
import { loadModule } from '../../../src/supervise/modules/index.ts';
import { failure, workspace } from './support.ts';

describe('a module that does not compile', () => {
  test('is refused with file, line, column and the line itself, as it was written', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export const a = 1;\n\n  for (const é of []) { const b = ; }\n');
    const error = await failure(loadModule(entry));
    expect(error.code).toBe('modules.does-not-compile');
    expect(error.detail).toMatchObject({ file: entry, line: 3, column: 35 });
    expect(error.message).toContain('for (const é of []) { const b = ; }');
    expect(error.message).not.toContain('__trotline');
  });

  test('is refused in whichever of its files the fault is', async () => {
    const { file } = workspace();
    const inner = file('lib/inner.ts', 'export function f() { while (true) { g( } }');
    const error = await failure(loadModule(file('hook.ts', 'export * from "./lib/inner.ts";')));
    expect(error.detail).toMatchObject({ file: inner, line: 1, column: 41 });
  });

  test('is placed rightly when only the bundler sees the fault, behind a guard in the same line', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export const f = () => { for (;;) { const a = 1; a = 2; } };');
    const error = await failure(loadModule(entry));
    expect(error.code).toBe('modules.does-not-compile');
    expect(error.detail).toMatchObject({ file: entry, line: 1, column: 50 });
    expect(error.message).not.toContain('__trotline');
  });

  test('is refused when it uses the name that compiled hooks reserve', async () => {
    const { file } = workspace();
    const error = await failure(
      loadModule(file('hook.ts', 'const __trotline$g = { n: 0, lim: 1e9 }; export { __trotline$g };')),
    );
    expect(error.code).toBe('modules.does-not-compile');
  });
});

describe('a module that does not load', () => {
  test('names the file and line that threw, in the file as it was written', async () => {
    const { file } = workspace({
      'lib/a.ts':
        'interface A {}\nconst check = () => {\n  throw new TypeError("no such luck");\n};\ncheck();\nexport const a = 1;',
    });
    const error = await failure(loadModule(file('hook.ts', 'export * from "./lib/a.ts";')));
    expect(error.code).toBe('modules.threw');
    expect(error.detail).toMatchObject({ file: expect.stringMatching(/lib\/a\.ts$/), line: 3, column: 9 });
    expect(error.message).toContain('TypeError: no such luck');
    expect(error.message).not.toMatch(/^\s+at /m);
  });

  test('names the file also after an await', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export const a = 1;\nawait new Promise((r) => setTimeout(r, 1));\nnull!.x;');
    expect((await failure(loadModule(entry))).detail).toMatchObject({ file: entry, line: 3, column: 7 });
  });

  test.each([
    ['a string', 'throw "plain"', 'plain'],
    ['nothing', 'throw undefined', 'undefined'],
    ['an object that cannot be shown', 'throw { toString() { throw 1 } }', 'cannot be shown'],
    [
      'an error with a hostile stack',
      'throw Object.defineProperty(new Error("boo"), "stack", { get() { throw 1 } })',
      'boo',
    ],
    [
      'an error with a hostile message',
      'throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })',
      'cannot be shown',
    ],
    ['an error with a message without end', 'throw new Error("x".repeat(1e7))', '…'],
    [
      'a proxy that refuses everything',
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } })',
      'cannot be shown',
    ],
    ['an object with a hostile code', 'throw { get code() { throw 1 } }', 'object Object'],
  ])('tells %s that was thrown', async (_name, statement, text) => {
    const { file } = workspace();
    const error = await failure(loadModule(file('hook.ts', `export const a = 1; ${statement};`)));
    expect(error.code).toBe('modules.threw');
    expect(error.message).toContain(text);
    expect(error.message.length).toBeLessThan(1_000);
  });

  test('names the package that is missing, and the file and line that import it', async () => {
    const { file } = workspace();
    const inner = file('lib/a.ts', 'export const a = 1;\nexport * from "@some/package/deep";');
    const error = await failure(loadModule(file('hook.ts', 'export * from "./lib/a.ts";')));
    expect(error.code).toBe('modules.missing-package');
    expect(error.detail).toMatchObject({ file: inner, line: 2 });
    expect(error.message).toContain('"@some/package"');
    expect(error.message).toContain('npm install @some/package');
  });

  test('names the package that a require at the top level misses', async () => {
    const { file } = workspace();
    const entry = file('hook.cjs', 'exports.a = 1;\nrequire("not-there-at-all");');
    const error = await failure(loadModule(entry));
    expect(error.code).toBe('modules.missing-package');
    expect(error.message).toContain('"not-there-at-all"');
    expect(error.detail).toMatchObject({ file: entry, line: 2 });
  });

  test('names the imported file that does not exist, and who imports it', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', '\nimport "./helpr.ts"; export const a = 1;');
    const error = await failure(loadModule(entry));
    expect(error.code).toBe('modules.not-found');
    expect(error.detail).toMatchObject({ file: entry, line: 2, column: 8 });
    expect(error.message).toContain('./helpr.ts');
  });

  test('names the export that a package does not have', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'import { defineHok } from "trotline"; export const a = defineHok;');
    const error = await failure(loadModule(entry, { virtual: { trotline: { defineHook: 1 } } }));
    expect(error.code).toBe('modules.missing-export');
    expect(error.detail.file).toBe(entry);
    expect(error.message).toContain('"defineHok"');
  });

  test('is refused when it exports nothing, and says so', async () => {
    const { file } = workspace();
    const error = await failure(loadModule(file('hook.ts', 'export type A = 1;')));
    expect(error.code).toBe('modules.no-hook');
  });

  test('is not found when there is no such file', async () => {
    const { dir } = workspace();
    const error = await failure(loadModule(`${dir}/nope.ts`));
    expect(error.code).toBe('modules.not-found');
    expect(error.detail.file).toBe(`${dir}/nope.ts`);
  });

  test('may not import over the network, or code out of a URL', async () => {
    const { file } = workspace();
    for (const specifier of ['https://127.0.0.1:9/x.js', 'data:text/javascript,export default 1']) {
      const error = await failure(loadModule(file('hook.ts', `import x from "${specifier}"; export { x };`)));
      expect(error.code).toBe('modules.does-not-compile');
    }
  });
});
