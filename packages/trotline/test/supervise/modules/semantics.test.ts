// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs are text
import { expect, test } from 'vitest';
import { loadModule } from '../../../src/supervise/modules/index.ts';
import { exported, workspace } from './support.ts';

/** Programs whose meaning a guard could spoil. Each is the body of an async function that returns a value. */
const programs: Readonly<Record<string, string>> = {
  'break and continue':
    'const o = []; for (let i = 0; i < 9; i++) { if (i === 2) continue; if (i === 6) break; o.push(i) } return o;',
  labels:
    'const o = []; a: for (let i = 0; i < 4; i++) b: for (let j = 0; j < 4; j++) { if (j === 2) continue a; if (i === 3) break a; if (i === 1) break b; o.push([i, j]) } return o;',
  'a label on a block in a loop': 'let n = 0; while (n < 5) l: { n++; if (n % 2) break l; n++ } return n;',
  'closures over a let of the loop':
    'const f = []; for (let i = 0; i < 4; i++) f.push(() => i++); return f.map((g) => [g(), g()]);',
  'closures over a var of the loop':
    'const f = []; for (var i = 0; i < 4; i++) f.push(() => i); return f.map((g) => g());',
  'closures over a let of for-of': 'const f = []; for (const v of "abc") f.push(() => v); return f.map((g) => g());',
  'a var declared in a body without braces': 'for (let i = 0; i < 3; i++) var last = i; return last;',
  'a dangling else':
    'let s = ""; if (1) for (const c of "ab") if (c === "a") s += 1; else s += 2; else s += 3; return s;',
  'loops in loops without braces':
    'let n = 0; for (let i = 0; i < 3; i++) for (const j of [1, 2]) while (n % 5 !== j) n++; return n;',
  'do-while without braces or semicolon': 'let n = 0; do n++\nwhile (n < 5)\nreturn n;',
  'do-while in an if': 'let n = 0; if (n) do n++; while (n < 5); else do n--; while (n > -3); return n;',
  'an empty body': 'let n = 0; for (; n < 7; n++); while (n-- > 3); return n;',
  'an arrow as the last thing of a body':
    'let f: any; for (let i = 0; i < 3; i++) f = (x: number) => (y: number) => x + y + i\nreturn f(1)(2);',
  'arrows that return objects, sequences and conditions':
    'const a = () => ({ a: 1 }), b = () => (1, 2), c = (x: any) => x ? 1 : 2, d = () => [] as unknown[], e = () => `${1}`; return [a(), b(), c(0), d(), e()];',
  'arrows with an in, an assignment, a yield outside':
    'let z = 0; const f = (k: string) => k in { a: 1 }, g = () => z = 5; return [f("a"), g(), z];',
  'nested arrows':
    'return ((a: number) => (b: number) => (c: number) => async (d: number) => a + b + c + d)(1)(2)(3)(4);',
  generators:
    'function* g(): any { const got = yield 1; try { yield got } finally { yield "end" } } const i = g(); return [i.next(), i.next(7), i.return(9), i.next()];',
  'generators in for-of, left early':
    'const o: any[] = []; function* g() { try { for (let i = 0;; i++) yield i } finally { o.push("closed") } } for (const v of g()) { if (v > 2) break; o.push(v) } return o;',
  delegation:
    'function* a(): any { return (yield* b()) + 1 } function* b(): any { yield 1; return 2 } const i = a(); return [i.next(), i.next()];',
  'async iteration':
    'const o: any[] = []; async function* g() { for (let i = 0; i < 3; i++) { await null; yield i } } for await (const v of g()) o.push(v); return o;',
  'the order of microtasks':
    'const o: string[] = []; const w = async (n: string) => { for (let i = 0; i < 3; i++) { o.push(n + i); await null } }; await Promise.all([w("a"), w("b")]); return o;',
  'an async arrow without braces': 'const f = async (x: number) => await x; return [await f(1), f.constructor.name];',
  'this and arguments':
    'const o = { n: 3, f(this: any) { return [this.n, arguments.length, (() => this.n)(), (() => arguments[0])()] } } as any; return o.f(8, 9);',
  'new.target and constructors':
    'function F(this: any) { this.t = new.target === F } class A { t; constructor() { this.t = new.target.name } } class B extends A { constructor() { super() } } return [new (F as any)().t, new B().t];',
  'fields before the rest of a derived constructor':
    'class A { v = 1 } class B extends A { w; constructor(n: number) { const k = n + 1; super(); this.w = k } } return new B(1);',
  'getters, setters, static blocks and private methods':
    'class A { static n = 0; static { for (let i = 0; i < 3; i++) A.n += i } #p() { return 5 } get x() { return this.#p() } set x(v) { A.n += v } } const a = new A(); a.x = 10; return [a.x, A.n];',
  'names and lengths of functions':
    'const a = () => 1, b = function () {}, { c = (x: any, y: any) => x } = {} as any; return [a.name, b.name, c.name, c.length, (() => {}).name];',
  'a directive':
    'const f = function () { "use strict"; return this === undefined }; const g = function () { "use strict"\nreturn 1 }; return [f(), g()];',
  'default values that call': 'const f = (a = g(), b = () => a) => [a, b()]; const g = () => 4; return f();',
  'exceptions through loops':
    'const o: any[] = []; for (const v of [1, 2, 3]) try { if (v === 2) throw v; o.push(v) } catch (e) { o.push(["c", e]); continue } finally { o.push("f") } return o;',
  'return out of nested loops and finally':
    'const f = () => { for (;;) try { for (;;) return 1 } finally { o.push(2) } }; const o: any[] = []; return [f(), o];',
  'switch in a loop':
    'const o: any[] = []; l: for (let i = 0; ; i++) switch (i) { case 0: continue; case 1: o.push("one"); break; case 4: break l; default: o.push(i) } return o;',
  'for-in with deletion':
    'const t: any = { a: 1, b: 2, c: 3 }, o: string[] = []; for (const k in t) { delete t.b; o.push(k) } return o;',
  'destructuring in the head':
    'const o: any[] = []; for (const [k, { v = 9 }] of Object.entries({ a: { v: 1 }, b: {} } as any) as any) o.push(k, v); for (let [i, j] = [0, 5]; i < j; i++, j--) o.push([i, j]); return o;',
  'tagged templates keep their identity':
    'const seen = new Set(); const t = (s: any) => seen.add(s); for (let i = 0; i < 3; i++) t`x${i}`; return seen.size;',
  'a regular expression and a template full of loops':
    'const s = `for(;;){${"while(1);"}}`; return [s, /for\\(;;\\)[{]/.test(s), "do x(); while(1)"];',
  'enums, namespaces and overloads':
    'function f(a: number): number; function f(a: string): string; function f(a: any) { return a } const as = <T,>(x: T) => x as T; return [f(1), f("b"), as(3)!];',
  'more turns than a guard counts between two looks':
    'let n = 0; for (let i = 0; i < 100_000; i++) n = (n * 31 + i) | 0; return n;',
  'deep recursion': 'const f = (n: number): number => n === 0 ? 0 : 1 + f(n - 1); return f(4000);',
  'sorting and mapping with callbacks':
    'return [5, 3, 9, 1].map((x) => x * 2).sort((a, b) => a - b).filter(function (x) { return x > 2 }).reduce((a, b) => a + b);',
};

test.each(Object.entries(programs))('guarded and unguarded give the same: %s', async (_name, body) => {
  const { file } = workspace();
  const entry = file('hook.ts', `export const run = async () => {\n${body}\n};`);
  const run = async (enabled: boolean): Promise<unknown> => {
    const module = await loadModule(entry, { guard: { enabled } });
    return exported(module, 'run')();
  };
  const [plain, guarded] = [await run(false), await run(true)];
  expect(plain).toBeDefined();
  expect(guarded).toEqual(plain);
});
