import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type * as Start from '../../../../src/supervise/modules/worker/start.ts';
import type { CallOptions, ModuleWorker, ModuleWorkerOptions } from '../../../../src/supervise/modules/worker/types.ts';
import { type Bundled, bundle } from '../bundled.ts';
import { workspace } from '../support.ts';

let programs: Bundled;
let startModuleWorker: typeof Start.startModuleWorker;
beforeAll(async () => {
  const source = (path: string): URL => new URL(`../../../../src/supervise/modules/worker/${path}`, import.meta.url);
  programs = await bundle({ start: source('start.ts'), realm: source('realm.ts') });
  ({ startModuleWorker } = (await import(programs.path('start'))) as typeof Start);
});
afterAll(() => programs.remove());

/** A worker whose module registers the hooks that the body names, ended with the test. */
async function worker(body: string, options: ModuleWorkerOptions = {}): Promise<ModuleWorker> {
  const { dir, file } = workspace();
  const entry = file('hook.ts', `export const register = (on: any, config: any) => {\n${body}\n};`);
  const started = await startModuleWorker(entry, { cacheDir: join(dir, 'cache'), ...options });
  onTestFinished(() => started.close());
  return started;
}

const beneath = (e: unknown): unknown => ({ beneath: e });
const call = (on: ModuleWorker, hook: number, e: unknown = {}, options: Partial<CallOptions> = {}): Promise<unknown> =>
  on.call(hook, 'tool.call', e, { next: beneath, budgetMs: 2_000, ...options });

/** What a call rejects with. */
async function rejection(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  return work.then(
    (value) => {
      throw new Error(`it was expected to fail, and gave ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as Error & Record<string, unknown>,
  );
}

describe('a module in a worker of its own', () => {
  test('tells what it registers, and is handed its configuration', async () => {
    const one = await worker(
      `on('tool.call', { tool: /^B/ }, () => config.answer, { onFailure: 'closed' }); on('*', () => 1).catch(() => 2);`,
      { config: { answer: 42 } },
    );
    expect(one.hooks).toEqual([
      { pattern: 'tool.call', matcher: { tool: /^B/ }, options: { onFailure: 'closed' }, handler: false },
      { pattern: '*', handler: true },
    ]);
    expect(await call(one, 0)).toBe(42);
    expect(await call(one, 1, {}, { part: 'handler' })).toBe(2);
    expect(one.inputs.map((input) => input.path)).toEqual([expect.stringMatching(/hook\.ts$/)]);
  });

  test('observes, rewrites and answers: next crosses to the host and back', async () => {
    const one = await worker(`
      on('tool.call', ($: any, e: any, next: any) => next(e));
      on('tool.call', async ($: any, e: any, next: any) => { const r = await next({ ...e, n: e.n + 1 }); return { ...r, seen: true }; });
      on('tool.call', () => ({ deny: 'no' }));`);
    expect(await call(one, 0, { n: 1 })).toEqual({ beneath: { n: 1 } });
    expect(await call(one, 1, { n: 1 })).toEqual({ beneath: { n: 2 }, seen: true });
    expect(await call(one, 2)).toEqual({ deny: 'no' });
  });

  test('is shown frozen events, and the facts of next', async () => {
    const one = await worker(`on('tool.call', ($: any, e: any, next: any) => {
      let refused = false; try { e.a.b = 2 } catch { refused = true }
      next.note('mine', 'because');
      return [refused, next.event, next.origin.kind, next.dryRun, next.budget.ms, next.signal.aborted];
    }); on('tool.call', async ($: any, e: any, next: any) => { await next(e); return next.trace; });
      on('tool.call', () => 0).catch(($: any, e: any, next: any) => [next.error.class, next.called]);`);
    const notes: unknown[] = [];
    const next = Object.assign((e: unknown) => e, {
      origin: { kind: 'agent' },
      note: (...note: unknown[]) => notes.push(note),
      trace: [{ hook: 'inner' }],
    });
    expect(await call(one, 0, { a: { b: 1 } }, { next: next as never })).toEqual([
      true,
      'tool.call',
      'agent',
      false,
      2_000,
      false,
    ]);
    expect(notes).toEqual([['mine', 'because']]);
    expect(await call(one, 1, {}, { next: next as never })).toEqual([{ hook: 'inner' }]);
    const after = Object.assign(beneath, { error: { class: 'budget', message: 'late' }, called: true });
    expect(await call(one, 2, {}, { next: after, part: 'handler' })).toEqual(['budget', true]);
  });

  test('asks the host for each op of $', async () => {
    const one = await worker(
      `on('tool.call', async ($: any) => [await $.fs.read('a', { b: 1 }), await $.nope().catch((e: Error) => e.message)]);`,
    );
    const op = (path: readonly string[], args: readonly unknown[]): unknown => {
      if (path[0] === 'nope') throw new Error('not here');
      return { path, args };
    };
    expect(await call(one, 0, {}, { op })).toEqual([
      { path: ['fs', 'read'], args: ['a', { b: 1 }] },
      'Error: not here',
    ]);
    expect((await rejection(call(one, 0))).message).toContain('$.fs.read is not available');
  });

  test('runs many calls at once and keeps them apart', async () => {
    const one = await worker(`on('tool.call', async ($: any, e: any, next: any) => ({ n: e.n, r: await next(e) }));`);
    const next = async (e: unknown): Promise<unknown> => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      return e;
    };
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => call(one, 0, { n }, { next })));
    expect(results).toEqual(Array.from({ length: 50 }, (_, n) => ({ n, r: { n } })));
  });

  test("uses the worker's own instance of a virtual module", async () => {
    const { file } = workspace();
    const kit = new URL(`file://${file('kit.mjs', 'export const kit = () => "kit";')}`).href;
    const entry = file(
      'hook.ts',
      'import { kit } from "kit"; export const register = (on: any) => on("*", () => kit());',
    );
    const one = await startModuleWorker(entry, { virtual: { kit } });
    onTestFinished(() => one.close());
    expect(await call(one, 0)).toBe('kit');
  });

  test('passes the signal on', async () => {
    const one = await worker(
      `on('tool.call', ($: any, e: any, next: any) => new Promise((resolve) => next.signal.addEventListener('abort', () => resolve('stopped')))); `,
    );
    const controller = new AbortController();
    const answer = call(one, 0, {}, { signal: controller.signal });
    controller.abort();
    expect(await answer).toBe('stopped');
  });
});

describe('what goes wrong in the worker arrives under its class', () => {
  test('a hook that throws, with file and line', async () => {
    const one = await worker(`on('tool.call', () => { throw new TypeError('boo') });`);
    const error = await rejection(call(one, 0));
    expect(error).toMatchObject({ code: 'modules.hook-threw', failureClass: 'throw', detail: { line: 2 } });
    expect(error.message).toContain('TypeError: boo');
  });

  test("the host's own errors come back as they were, also control", async () => {
    const one =
      await worker(`on('tool.call', async ($: any, e: any, next: any) => { try { return await next(e) } catch (error) { throw error } });
      on('tool.call', () => { throw Object.assign(new Error('x'), { name: 'AbortTurn', hook: 'h', reason: 'r' }) });`);
    const mine = new RangeError('mine');
    const next = (): never => {
      throw mine;
    };
    expect(await rejection(call(one, 0, {}, { next }))).toBe(mine);
    expect(await rejection(call(one, 1))).toMatchObject({ name: 'AbortTurn', hook: 'h', reason: 'r' });
  });

  test('what cannot pass between threads, in each direction', async () => {
    const one =
      await worker(`on('tool.call', () => ({ f() {} })); on('tool.call', async ($: any, e: any, next: any) => next({ f() {} }));
      on('tool.call', async ($: any, e: any, next: any) => (await next(e)).ok);`);
    for (const [hook, options] of [
      [0, {}],
      [1, {}],
      [2, { next: () => ({ f() {} }) }],
    ] as const) {
      expect(await rejection(call(one, hook, {}, options))).toMatchObject({ code: 'modules.not-cloneable' });
    }
    expect(await rejection(call(one, 2, { f() {} }))).toMatchObject({
      code: 'modules.not-cloneable',
      failureClass: 'shape',
    });
    expect(await call(one, 2, {}, { next: () => ({ ok: 1 }) })).toBe(1);
  });

  test('a loop is stopped by its guard, and the worker lives on', async () => {
    const ended: unknown[] = [];
    const one = await worker(`on('tool.call', () => { while (true); }); on('tool.call', () => process.pid);`, {
      onEnded: (error) => ended.push(error),
    });
    expect(await rejection(call(one, 0, {}, { budgetMs: 50 }))).toMatchObject({
      code: 'modules.busy-loop',
      failureClass: 'budget',
      detail: { line: 2 },
    });
    expect(await call(one, 1)).toBe(process.pid);
    expect(ended).toEqual([]);
  });

  test('a hook that only waits is given up, and its signal fires', async () => {
    const one =
      await worker(`let aborted = false; on('tool.call', ($: any, e: any, next: any) => { next.signal.onabort = () => { aborted = true }; return new Promise(() => {}) });
      on('tool.call', () => aborted);`);
    expect(await rejection(call(one, 0, {}, { budgetMs: 30 }))).toMatchObject({
      code: 'modules.worker-stopped',
      failureClass: 'budget',
    });
    expect(await call(one, 1)).toBe(true);
  });

  test('time beneath next and in ops is not the hook’s own, unless the op is metered', async () => {
    const one = await worker(
      `on('tool.call', async ($: any, e: any, next: any) => { await $.slow(); return next(e); });`,
    );
    const slow = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await call(one, 0, {}, { budgetMs: 1_000, op: slow, next: slow })).toBeUndefined();
    expect(await rejection(call(one, 0, {}, { budgetMs: 50, op: slow, metered: () => true }))).toMatchObject({
      failureClass: 'budget',
    });
  });
});

describe('a hook that holds its thread where no guard reaches', () => {
  const stuck = `
    on('tool.call', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });
    on('tool.call', () => { /^(a+)+$/.test('a'.repeat(64) + '!'); });
    on('tool.call', async () => { await null; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });
    on('tool.call', async ($: any, e: any, next: any) => { await next(e); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });
    on('tool.call', () => 'alive');
    on('tool.call', () => new Promise(() => {}));`;

  test.each([
    ['a native wait', 0],
    ['a regular expression', 1],
    ['a native wait after an await', 2],
    ['a native wait after next', 3],
  ])(
    '%s: the worker is ended, the call fails by its budget, and the next call finds a new worker',
    async (_name, hook) => {
      const one = await worker(stuck, { graceMs: 100 });
      const restarted = call(one, hook, {}, { budgetMs: 60 });
      expect(await rejection(restarted)).toMatchObject({ code: 'modules.worker-stopped', failureClass: 'budget' });
      expect(await call(one, 4)).toBe('alive');
    },
  );

  test('other calls in the same worker fail as crashed, and are not blamed', async () => {
    const one = await worker(stuck, { graceMs: 100 });
    const innocent = rejection(call(one, 5, {}, { budgetMs: 60_000 }));
    const culprit = rejection(call(one, 0, {}, { budgetMs: 60 }));
    expect(await culprit).toMatchObject({ failureClass: 'budget' });
    expect(await innocent).toMatchObject({ code: 'modules.worker-ended', failureClass: 'crash' });
  });

  test('after several ends the module is set aside, and comes back', async () => {
    const one = await worker(stuck, { graceMs: 100 });
    await rejection(call(one, 0, {}, { budgetMs: 30 }));
    await rejection(call(one, 0, {}, { budgetMs: 30 }));
    expect(await rejection(call(one, 4))).toMatchObject({ code: 'modules.worker-set-aside', failureClass: 'crash' });
    await expect.poll(() => call(one, 4).catch(() => 'not yet'), { timeout: 10_000 }).toBe('alive');
  });
});

describe('a worker that ends', () => {
  test.each([
    ['exits', 'process.exit(3)'],
    ['throws outside of any call', 'setTimeout(() => { throw new Error("late") }, 0); return new Promise(() => {})'],
    ['rejects outside of any call', 'Promise.reject(new Error("loose")); return new Promise(() => {})'],
    [
      'forges messages',
      "for (const handle of (process as any)._getActiveHandles()) if (handle.constructor.name === 'MessagePort') handle.postMessage(null); return new Promise(() => {})",
    ],
    ['uses up its memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))'],
  ])('because it %s fails the call as crashed, and the next call finds a new one', async (_name, body) => {
    const restarts: number[] = [];
    const one = await worker(`on('tool.call', () => { ${body} }); on('tool.call', () => 'alive');`, {
      memoryMb: 32,
      onRestarted: () => restarts.push(1),
    });
    expect(await rejection(call(one, 0, {}, { budgetMs: 60_000 }))).toMatchObject({
      code: 'modules.worker-ended',
      failureClass: 'crash',
    });
    expect(await call(one, 1)).toBe('alive');
    expect(restarts).toEqual([1]);
  });

  test('is not started again with files that were not approved', async () => {
    const { file } = workspace();
    const entry = file(
      'hook.ts',
      'export const register = (on: any) => { on("*", () => process.exit()); on("*", () => "old"); };',
    );
    const approved = new Set<string>();
    const beforeRun = (inputs: readonly { sha256: string }[]): void => {
      if (approved.size === 0) for (const input of inputs) approved.add(input.sha256);
      for (const input of inputs) if (!approved.has(input.sha256)) throw new Error('not approved');
    };
    const one = await startModuleWorker(entry, { beforeRun });
    onTestFinished(() => one.close());
    file('hook.ts', 'export const register = (on: any) => { on("*", () => process.exit()); on("*", () => "new"); };');
    await rejection(call(one, 0));
    expect((await rejection(call(one, 1))).message).toBe('not approved');
  });

  test('is not taken back with other hooks than before', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export const register = (on: any) => { on("a.b", () => process.exit()); };');
    const one = await startModuleWorker(entry);
    onTestFinished(() => one.close());
    file('hook.ts', 'export const register = (on: any) => { on("c.d", () => 1); };');
    await rejection(call(one, 0));
    expect(await rejection(call(one, 0))).toMatchObject({ code: 'modules.worker-changed', failureClass: 'start' });
  });

  test('by being closed fails what is in flight, and what comes later', async () => {
    const one = await worker(`on('*', () => new Promise(() => {}));`);
    const inFlight = rejection(call(one, 0, {}, { budgetMs: 60_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    await one.close();
    expect(await inFlight).toMatchObject({ code: 'modules.worker-ended' });
    expect(await rejection(call(one, 0))).toMatchObject({ code: 'modules.worker-ended' });
  });
});

describe('a worker that does not start', () => {
  test.each([
    ['a module that does not compile', 'export const register = ;', 'modules.does-not-compile'],
    ['a module that throws', 'export const a = 1; throw new Error("x");', 'modules.threw'],
    ['a module without register', 'export const a = 1;', 'modules.no-hook'],
    ['a register that throws', 'export const register = () => { throw new Error("x") };', 'modules.threw'],
    ['a register that never ends', 'export const register = () => { for (;;); };', 'modules.busy-loop'],
    ['a generator', 'export const register = (on: any) => on("x", function* () {});', 'modules.threw'],
    [
      'a matcher that cannot be sent',
      'export const register = (on: any) => on("x", { when: () => true }, () => 1);',
      'modules.not-cloneable',
    ],
  ])('for %s, with its code', async (_name, source, code) => {
    const { file } = workspace();
    const error = await rejection(startModuleWorker(file('hook.ts', source)));
    expect(error).toMatchObject({ code, detail: { file: expect.stringMatching(/hook\.ts$/) } });
  });

  test('for a module that holds its thread while it loads', async () => {
    const { file } = workspace();
    const entry = file('hook.ts', 'export const a = 1; process.exit(0);');
    expect((await rejection(startModuleWorker(entry))).message).toContain('ended with code 0');
  });

  test('prints where the host wants it', async () => {
    const printed: string[] = [];
    const one = await worker(`on('*', () => { console.log('out'); console.error('err'); });`, {
      onOutput: (text, stream) => printed.push(`${stream}:${text.trim()}`),
    });
    await call(one, 0);
    await expect.poll(() => [...printed].sort()).toEqual(['stderr:err', 'stdout:out']);
  });
});

test('a call that waited behind a hook that held the thread is run by the next thread, once', async () => {
  const { dir, file } = workspace();
  const log = join(dir, 'log');
  const entry = file(
    'hook.ts',
    `import { appendFileSync } from 'node:fs';
     export const register = (on) => {
       on('a.hang', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
       on('a.note', () => { appendFileSync(${JSON.stringify(log)}, 'x'); return { noted: true }; });
     };`,
  );
  const on = await startModuleWorker(entry, { cacheDir: join(dir, 'cache'), graceMs: 300 });
  onTestFinished(() => on.close());
  const [hung, waited] = await Promise.allSettled([
    call(on, 0, {}, { budgetMs: 200 }),
    call(on, 1, {}, { budgetMs: 5_000 }),
  ]);
  expect(hung).toMatchObject({ status: 'rejected', reason: { failureClass: 'budget' } });
  expect(waited).toEqual({ status: 'fulfilled', value: { noted: true } });
  expect(readFileSync(log, 'utf8')).toBe('x');
});

test('a call that began and ended its thread is not run again', async () => {
  const { dir, file } = workspace();
  const log = join(dir, 'log');
  const entry = file(
    'hook.ts',
    `import { appendFileSync } from 'node:fs';
     export const register = (on) => { on('a.exit', () => { appendFileSync(${JSON.stringify(log)}, 'x'); process.exit(); }); };`,
  );
  const on = await startModuleWorker(entry, { cacheDir: join(dir, 'cache') });
  onTestFinished(() => on.close());
  for (let calls = 1; calls <= 2; calls++) {
    expect(await rejection(call(on, 0))).toMatchObject({ failureClass: 'crash' });
    expect(readFileSync(log, 'utf8')).toBe('x'.repeat(calls));
    await new Promise((soon) => setTimeout(soon, 600));
  }
});
