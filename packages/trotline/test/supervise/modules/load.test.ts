import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadModule } from '../../../src/supervise/modules/index.ts';
import { exported, thrownBy, workspace } from './support.ts';

describe('what a module may be', () => {
  test.each(['ts', 'tsx', 'mts', 'js', 'jsx', 'mjs'])('a .%s file with exports', async (ending) => {
    const { file } = workspace();
    const module = await loadModule(file(`hook.${ending}`, 'export const register = () => 42;'));
    expect(exported(module, 'register')()).toBe(42);
  });

  test.each(['cts', 'cjs', 'js'])('a .%s file with module.exports, whole as default and by name', async (ending) => {
    const { file } = workspace();
    const module = await loadModule(file(`hook.${ending}`, 'module.exports = { register: () => 42 };'));
    expect(exported(module, 'register')()).toBe(42);
    expect(module.exports['default']).toEqual({ register: expect.any(Function) });
  });

  test('TypeScript of every kind, spread over files that import each other as .js, .ts, without ending and as a folder', async () => {
    const { file } = workspace({
      'lib/types.ts': 'export interface Rule { readonly name: string }\nexport enum Kind { Deny = 3 }',
      'lib/index.ts': 'import type { Rule } from "./types.js"; export const rule = { name: "r" } satisfies Rule;',
      'lib/a.ts': 'import { b } from "./b.ts"; export const a = () => "a" + b(); export const tail = "!";',
      'lib/b.ts': 'import { tail } from "./a"; export const b = () => "b" + tail;',
      'data.json': '{"limit": 7}',
    });
    const entry = file(
      'hook.ts',
      `import { Kind, type Rule } from './lib/types.js';
       import { rule } from './lib';
       import { a } from './lib/a';
       import data from './data.json' with { type: 'json' };
       export abstract class Base<T extends Rule> { constructor(private readonly inner: T) {} get name() { return this.inner.name } }
       export const all = () => [Kind.Deny, rule.name, a(), data.limit, new (class extends Base<Rule> {})(rule).name];`,
    );
    expect(exported(await loadModule(entry), 'all')()).toEqual([3, 'r', 'ab!', 7, 'r']);
  });

  test('JSX, with the runtime that the pragma, or else the option, names', async () => {
    const { file } = workspace();
    const runtime = { jsx: (type: unknown, props: unknown) => ({ type, props }) };
    const virtual = { 'one/jsx-runtime': runtime, 'two/jsx-runtime': runtime };
    const plain = await loadModule(file('a.tsx', 'export const view = () => <b x={1} />;'), {
      virtual,
      jsx: { importSource: 'one' },
    });
    expect(exported(plain, 'view')()).toEqual({ type: 'b', props: { x: 1 } });
    const pragma = file('b.tsx', '/** @jsxImportSource two */\nexport const view = () => <i />;');
    expect(exported(await loadModule(pragma, { virtual }), 'view')()).toEqual({ type: 'i', props: {} });
  });

  test('a module with top-level await, also in a file that it imports', async () => {
    const { file } = workspace({ 'config.ts': 'export const limit = await Promise.resolve(5);' });
    const entry = file('hook.ts', 'import { limit } from "./config.ts"; export const twice = (await limit) * 2;');
    expect((await loadModule(entry)).exports['twice']).toBe(10);
  });

  test('a module that exports `then` is not taken for a promise', async () => {
    const { file } = workspace();
    const module = await loadModule(
      file('hook.ts', 'export const then = () => { throw new Error("called") }; export const a = 1;'),
    );
    expect(module.exports['a']).toBe(1);
  });

  test('a file with a first line for the shell, a byte order mark and Windows line ends', async () => {
    const { file } = workspace();
    const text =
      '#!/usr/bin/env node\r\nexport const where = () => __dirname;\r\nexport const e = () => { for (;;) break; return "é😀" };\r\n';
    const entry = file('hook.ts', text);
    const module = await loadModule(entry);
    expect(exported(module, 'where')()).toBe(join(entry, '..'));
    expect(exported(module, 'e')()).toBe('é😀');
    const marked = await loadModule(file('bom.ts', `\uFEFFexport const a = () => { while (true) return 1 };`));
    expect(exported(marked, 'a')()).toBe(1);
  });
});

describe('what a module sees', () => {
  test("the host's own instance of a virtual module, by every way of asking for it", async () => {
    const host = { on: () => 'on' };
    const { file } = workspace({ 'old.cjs': 'exports.host = require("trotline");' });
    const entry = file(
      'hook.ts',
      `import { on } from 'trotline'; import * as all from 'trotline'; import { host as old } from './old.cjs';
       export { on, all, old }; export const later = () => import('trotline');`,
    );
    const module = await loadModule(entry, { virtual: { trotline: host } });
    expect(module.exports['on']).toBe(host.on);
    expect(module.exports['all']).toBe(host);
    expect(module.exports['old']).toBe(host);
    expect(await exported(module, 'later')()).toBe(host);
  });

  test('built-in modules of Node, with and without the prefix', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      `import path, { join } from 'path'; import { readFileSync } from 'node:fs';
       export const same = path.join === join; export const text = () => readFileSync(new URL(import.meta.url), 'utf8').length > 0;`,
    );
    const module = await loadModule(entry);
    expect(module.exports['same']).toBe(true);
    expect(exported(module, 'text')()).toBe(true);
  });

  test('its own place, in each file', async () => {
    const { dir, file } = workspace({
      'lib/a.ts': `export const a = [import.meta.url, import.meta.dirname, __dirname, __filename];`,
      'lib/b.ts': `import { dirname } from 'node:path'; import { fileURLToPath } from 'node:url'; import { createRequire } from 'node:module';
        const __dirname = dirname(fileURLToPath(import.meta.url)); const require = createRequire(import.meta.url);
        export const b = [__dirname, require('./c.json').c];`,
      'lib/c.json': '{"c": 1}',
    });
    const module = await loadModule(file('hook.ts', 'export * from "./lib/a.ts"; export * from "./lib/b.ts";'));
    const path = join(dir, 'lib', 'a.ts');
    expect(module.exports['a']).toEqual([pathToFileURL(path).href, join(dir, 'lib'), join(dir, 'lib'), path]);
    expect(module.exports['b']).toEqual([join(dir, 'lib'), 1]);
  });

  test('packages of every kind, resolved from the file that imports them and never bundled', async () => {
    const { file } = workspace({
      'node_modules/esm/package.json': '{"name":"esm","exports":{"import":"./a.mjs"}}',
      'node_modules/esm/a.mjs':
        'export const name = "outer"; export default () => name; globalThis.__esmLoads = (globalThis.__esmLoads ?? 0) + 1;',
      'sub/node_modules/esm/package.json': '{"name":"esm","type":"module","main":"./b.js"}',
      'sub/node_modules/esm/b.js': 'await null; export const name = "inner"; export default () => name;',
      'node_modules/cjs/package.json': '{"name":"cjs"}',
      'node_modules/cjs/index.js': 'const o = { plain: 1 }; o["computed" + ""] = 2; module.exports = o;',
      'node_modules/@scope/dual/package.json':
        '{"name":"@scope/dual","exports":{"./x":{"import":"./x.mjs","require":"./x.cjs"}}}',
      'node_modules/@scope/dual/x.mjs': 'export const kind = "import";',
      'node_modules/@scope/dual/x.cjs': 'exports.kind = "require";',
      'sub/inner.ts': 'import make, { name } from "esm"; export const inner = [make(), name];',
    });
    const entry = file(
      'hook.ts',
      `import make, { name } from 'esm'; import cjs, { computed } from 'cjs'; import { kind } from '@scope/dual/x';
       export * from './sub/inner.ts'; export const outer = [make(), name, cjs.plain, computed, kind];
       export const asked = () => [require('@scope/dual/x').kind, require('cjs') === cjs];
       export const later = async () => (await import('@scope/dual/x')).kind;`,
    );
    const module = await loadModule(entry);
    expect(module.exports['outer']).toEqual(['outer', 'outer', 1, 2, 'import']);
    expect(module.exports['inner']).toEqual(['inner', 'inner']);
    expect(exported(module, 'asked')()).toEqual(['require', true]);
    expect(await exported(module, 'later')()).toBe('import');
    await loadModule(entry);
    expect((globalThis as Record<string, unknown>)['__esmLoads']).toBe(1);
    expect(module.inputs.map((input) => input.path).filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  test('a package that is optional may be missing', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      `let found = 'yes'; try { require('not-there-at-all') } catch (e) { found = (e as { code: string }).code }
       export { found }; export const later = () => import('not-there-either').catch(() => 'no');`,
    );
    const module = await loadModule(entry);
    expect(module.exports['found']).toBe('MODULE_NOT_FOUND');
    expect(await exported(module, 'later')()).toBe('no');
  });

  test('a workspace package that exports TypeScript becomes part of the module', async () => {
    const { dir, file } = workspace({
      'packages/kit/package.json': '{"name":"kit","exports":"./src/index.ts"}',
      'packages/kit/src/index.ts': 'export const kit = (n: number): number => n + 1;',
      'app/node_modules/.keep': '',
    });
    symlinkSync(join(dir, 'packages/kit'), join(dir, 'app/node_modules/kit'));
    const module = await loadModule(file('app/hook.ts', 'import { kit } from "kit"; export const two = kit(1);'));
    expect(module.exports['two']).toBe(2);
    expect(module.inputs.map((input) => input.path)).toContain(join(dir, 'packages/kit/src/index.ts'));
  });
});

describe('loading', () => {
  test('gives a new instance each time, with live exports that nobody outside can set', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export let n = 0; export const more = () => { n++ };');
    const one = await loadModule(entry);
    const two = await loadModule(entry);
    exported(one, 'more')();
    expect([one.exports['n'], two.exports['n']]).toEqual([1, 0]);
    expect(() => Object.assign(one.exports, { n: 9 })).toThrow(TypeError);
    expect(Object.getPrototypeOf(one.exports)).toBeNull();
  });

  test('takes up the changes of any of its files', async () => {
    const { file } = workspace({ 'a.ts': 'export const a = 1;' });
    const entry = file('hook.ts', 'export * from "./a.ts";');
    expect((await loadModule(entry)).exports['a']).toBe(1);
    file('a.ts', 'export const a = 2;');
    expect((await loadModule(entry)).exports['a']).toBe(2);
  });

  test('names all files, the entry first, before any of them runs; whoever is told may refuse', async () => {
    const { dir, file } = workspace({ 'a.ts': 'globalThis.__ran = true; export const a = 1;' });
    const entry = file('z.ts', 'export * from "./a.ts";');
    let seen: string[] = [];
    const refusal = new Error('not trusted');
    const beforeRun = (inputs: readonly { path: string }[]): void => {
      seen = inputs.map((input) => input.path);
      throw refusal;
    };
    await expect(loadModule(entry, { beforeRun })).rejects.toBe(refusal);
    expect(seen).toEqual([entry, join(dir, 'a.ts')]);
    expect('__ran' in globalThis).toBe(false);
  });

  test('many at once, without one stopping the bundler of another', async () => {
    const { file } = workspace();
    const entries = Array.from({ length: 12 }, (_, n) => file(`hook${n}.ts`, `export const n = ${n};`));
    const modules = await Promise.all(entries.map((entry) => loadModule(entry)));
    expect(modules.map((module) => module.exports['n'])).toEqual(entries.map((_, n) => n));
  });

  test('through a symbolic link: the real file, and what stands beside it', async () => {
    const { dir, file } = workspace({ 'real/a.ts': 'export const a = 1;' });
    const entry = file('real/hook.ts', 'export * from "./a.ts";');
    symlinkSync(entry, join(dir, 'link.ts'));
    const module = await loadModule(join(dir, 'link.ts'));
    expect(module.exports['a']).toBe(1);
    expect(module.inputs[0]?.path).toBe(entry);
  });

  test('dispose lets go of the exports', async () => {
    const { file } = workspace();
    const module = await loadModule(file('hook.ts', 'export const a = 1;'));
    module.dispose();
    expect(Object.keys(module.exports)).toEqual([]);
  });

  test('an error of a hook is placed in the file as it was written, also in a name that is hard to write', async () => {
    const { dir, file } = workspace({
      'lib/50% #1 é?.ts':
        'type T = string;\nexport const f = (t: T): never => {\n  for (;;) { throw new Error(t) }\n};',
    });
    const module = await loadModule(file('hook.ts', 'export { f } from "./lib/50% #1 é?.ts";'));
    const error = thrownBy(() => exported(module, 'f')('boo'));
    expect(module.placeOf(error)).toEqual({ file: join(dir, 'lib/50% #1 é?.ts'), line: 3, column: 20 });
    expect(module.placeOf(new Error('elsewhere'))).toBeUndefined();
    expect(module.placeOf(null)).toBeUndefined();
  });
});
