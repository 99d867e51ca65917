import type { TrotlineError } from '@trotline/engine';
import { describe, expect, test } from 'vitest';
import { type LoadedModule, loadModule } from '../../../src/supervise/modules/index.ts';
import { exported, failure, nextTurn, thrownBy, workspace } from './support.ts';

const BUDGET = 40;
const load = (source: string, guard: object = {}): Promise<LoadedModule> =>
  loadModule(workspace().file('hook.ts', source), { guard: { budgetMs: BUDGET, ...guard } });

/** Runs `hook` of a module with the statement in its third line, and gives the error that stopped it. */
async function stopped(statement: string): Promise<TrotlineError> {
  const source = `let x = 0;\nexport const hook = async () => {\n${statement}\n};`;
  const module = await load(source);
  await nextTurn();
  return failure(exported(module, 'hook')() as Promise<unknown>);
}

describe('a loop that never ends is stopped at its budget, and named by file and line', () => {
  test.each([
    ['while', 'while (true) {}'],
    ['while without a body', 'while (true);'],
    ['for', 'for (;;) {}'],
    ['for with a single statement', 'for (;;) x++;'],
    ['do-while', 'do { x++ } while (true);'],
    ['do-while with a single statement', 'do x++; while (true)'],
    ['the work in the condition', 'while (Math.random() < 2);'],
    ['the work in the update', 'for (;; x++);'],
    [
      'for-of over a generator without end',
      'for (const _ of (function* () { let n = 0; while (true) yield n++; })()) x++;',
    ],
    [
      'for-of over an iterator without end',
      'for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) });',
    ],
    ['for-await over values at hand', 'for await (const _ of (async function* () { for (;;) yield 1; })());'],
    ['for-in', 'for (;;) for (const key in { a: 1 }) x += key.length;'],
    ['a labelled loop', 'outer: for (;;) { for (;;) continue outer; }'],
    ['a loop in a branch without braces', 'if (x === 0) for (;;) x++; else x--;'],
    ['a loop in a switch', 'switch (x) { case 0: for (;;) x++; }'],
    ['a catch that swallows', 'for (;;) { try { for (;;); } catch {} }'],
    ['a finally that goes on', 'l: for (;;) { try { for (;;); } finally { continue l; } }'],
    ['a catch around each turn', 'for (;;) { try { x++; } catch { continue; } finally { x--; } }'],
    ['awaits that let nobody in', 'for (;;) await null;'],
    ['awaits and a catch that swallows', 'for (;;) { try { for (;;) await null; } catch {} }'],
    ['a loop after an await', 'await null; for (;;);'],
    ['a promise that calls itself', 'const again = (): Promise<void> => Promise.resolve().then(again); await again();'],
    [
      'an async function that calls itself',
      'const again = async (): Promise<void> => { await null; return again(); }; await again();',
    ],
    ['a recursion that branches', 'const fib = (n: number): number => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(200);'],
    [
      'a recursion that branches and swallows',
      'const f = (n: number) => { try { f(n - 1); f(n - 1) } catch {} }; const g = (n: number) => n > 0 && (g(n - 1), g(n - 1)); g(500); f(1);',
    ],
    [
      'a generator that calls itself',
      'function* g(n: number): Generator { yield; if (n) { yield* g(n - 1); yield* g(n - 1); } } for (const _ of g(300));',
    ],
    ['a callback of an array method', 'Array.from({ length: 2 ** 32 - 1 }, () => x++);'],
    ['a getter', 'const o = { get a(): number { return x++ } }; for (;;) o.a;'],
    ['a loop in a class', 'class A { static #n = 0; static run() { do A.#n++; while (true) } } A.run();'],
    ['slow turns', 'for (;;) { const until = Date.now() + 3; while (Date.now() < until); }'],
  ])('%s', async (_name, statement) => {
    const error = await stopped(statement);
    expect(error.code).toBe('modules.busy-loop');
    expect(error.detail).toMatchObject({ file: expect.stringMatching(/hook\.ts$/), line: 3 });
    expect(error.message).toContain(`at most ${BUDGET} ms`);
  });

  test('in a file that the module imports, under the name of that file', async () => {
    const { file } = workspace({ 'lib/spin.tsx': 'export const spin = () => {\n  // here\n  while (true);\n};' });
    const entry = file('hook.ts', 'export { spin } from "./lib/spin.tsx";');
    const module = await loadModule(entry, { guard: { budgetMs: BUDGET } });
    const error = thrownBy(() => exported(module, 'spin')());
    expect(error).toMatchObject({ code: 'modules.busy-loop', detail: { line: 3, column: 3 } });
    expect((error as TrotlineError).detail.file).toMatch(/lib\/spin\.tsx$/);
  });

  test('a recursion without end and without branches throws by itself', async () => {
    const module = await load('export const hook = () => { const f = (): number => 1 + f(); return f(); };');
    expect(thrownBy(() => exported(module, 'hook')())).toBeInstanceOf(RangeError);
  });
});

describe('what is not stopped', () => {
  test('a loop that lets the event loop turn', async () => {
    const module = await load(
      `export const hook = async () => { let n = 0; const until = Date.now() + ${BUDGET * 3};
       while (Date.now() < until) { for (let i = 0; i < 2_000; i++) n++; await new Promise((r) => setImmediate(r)); } return n > 0; };`,
    );
    expect(await exported(module, 'hook')()).toBe(true);
  });

  test('the next call, once the event loop has turned', async () => {
    const module = await load(
      'export const spin = () => { for (;;); }; export const sum = () => { let s = 0; for (let i = 0; i < 1e5; i++) s += i; return s; };',
    );
    thrownBy(() => exported(module, 'spin')());
    expect(thrownBy(() => exported(module, 'sum')())).toMatchObject({ code: 'modules.busy-loop' });
    await nextTurn();
    expect(exported(module, 'sum')()).toBe(4999950000);
  });

  test('another module in the same stretch', async () => {
    const one = await load('export const spin = () => { for (;;); };');
    const two = await load('export const sum = () => { let s = 0; for (let i = 0; i < 1e5; i++) s += i; return s; };');
    thrownBy(() => exported(one, 'spin')());
    expect(exported(two, 'sum')()).toBe(4999950000);
  });

  test('anything, in a module whose guards are switched off', async () => {
    const module = await load(
      `export const hook = () => { const until = Date.now() + ${BUDGET * 2}; while (Date.now() < until); return 'done'; };`,
      {
        enabled: false,
      },
    );
    expect(exported(module, 'hook')()).toBe('done');
  });
});

describe('withBudget', () => {
  const spinFor = `export const spin = (ms: number) => { const until = performance.now() + ms; while (performance.now() < until); return 'done'; };
    export const swallow = (ms: number) => { try { spin(ms) } catch { return 'swallowed' } };
    export const rename = (ms: number) => { try { spin(ms) } catch { throw new Error('mine') } };
    export const later = async (ms: number) => { try { spin(ms) } catch {} };`;

  test('gives a call a budget of its own, larger or smaller', async () => {
    const module = await load(spinFor);
    const spin = exported(module, 'spin');
    expect(module.withBudget(5_000, () => spin(BUDGET * 3))).toBe('done');
    expect(thrownBy(() => module.withBudget(10, () => spin(5_000)))).toMatchObject({ code: 'modules.busy-loop' });
  });

  test.each(['swallow', 'rename', 'later'])('fails a call that was stopped and hides it (%s)', async (name) => {
    const module = await load(spinFor);
    const error = thrownBy(() => module.withBudget(10, () => exported(module, name)(5_000)));
    expect(error).toMatchObject({ code: 'modules.busy-loop' });
  });

  test('starts anew: the next call in the same stretch is not held to the last one', async () => {
    const module = await load(spinFor);
    const spin = exported(module, 'spin');
    thrownBy(() => module.withBudget(10, () => spin(5_000)));
    expect(module.withBudget(1_000, () => spin(1))).toBe('done');
  });

  test('does not charge a call for another one inside it, nor for what runs outside', async () => {
    const module = await load(
      `${spinFor}\nexport const around = (inner: () => unknown) => { spin(5); inner(); return spin(5); };`,
    );
    const [spin, around] = [exported(module, 'spin'), exported(module, 'around')];
    const nested = (): unknown => module.withBudget(5_000, () => spin(1_200));
    expect(module.withBudget(1_000, () => around(nested))).toBe('done');
    const outside = (): unknown =>
      module.outsideBudget(() => {
        const until = performance.now() + 1_200;
        while (performance.now() < until);
      });
    expect(module.withBudget(1_000, () => around(outside))).toBe('done');
    expect(thrownBy(() => module.withBudget(1_000, () => around(() => spin(1_200))))).toMatchObject({
      code: 'modules.busy-loop',
    });
  });

  test('passes on what the call returns and throws', async () => {
    const module = await load('export const a = 1;');
    const error = new Error('mine');
    expect(module.withBudget(10, () => 7)).toBe(7);
    expect(thrownBy(() => module.withBudget(10, () => thrower(error)))).toBe(error);
  });

  test('tells the host of each stop, also of one that is swallowed', async () => {
    const seen: TrotlineError[] = [];
    const module = await load(spinFor, { onStopped: (error: TrotlineError) => seen.push(error) });
    exported(module, 'swallow')(5_000);
    await nextTurn();
    thrownBy(() => module.withBudget(10, () => exported(module, 'swallow')(5_000)));
    expect(seen.map((error) => error.code)).toEqual(['modules.busy-loop', 'modules.busy-loop']);
  });
});

test('the error carries the failure class by which the chain knows that it was the budget', async () => {
  const module = await load('export const hook = () => { while (true); };');
  const error = thrownBy(() => module.withBudget(BUDGET, () => exported(module, 'hook')()));
  expect(error).toMatchObject({ name: 'TrotlineError', failureClass: 'budget' });
});

const thrower = (error: Error): never => {
  throw error;
};
