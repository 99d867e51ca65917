import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LineAsker } from '../../src/host/index.ts';
import { bash, type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

/** Every way a hook of a file may fail before it called `next`. */
const before = {
  throws: `() => { throw new Error('boom'); }`,
  rejects: `async () => { await null; throw new Error('boom'); }`,
  'never answers': `() => new Promise(() => {})`,
  'answers late': `($, e, next) => new Promise((done) => setTimeout(() => done({ deny: 'late' }), 900))`,
  'answers nothing': `() => undefined`,
  'answers the wrong shape': `() => ({ decision: 'allow' })`,
  'rewrites a pinned field': `($, e, next) => next({ ...e, tool_use_id: 'other' })`,
  'busy loop': `() => { for (;;) { try { for (;;); } catch {} } }`,
  'busy loop after an await': `async () => { await null; for (;;) { try { for (;;); } catch {} } }`,
} as const;

/** And after the tool ran. */
const after = {
  throws: `async ($, e, next) => { await next(e); throw new Error('boom'); }`,
  'never answers': `async ($, e, next) => { await next(e); return new Promise(() => {}); }`,
  'answers the wrong shape': `async ($, e, next) => { await next(e); return { wrong: true }; }`,
  'busy loop': `async ($, e, next) => { await next(e); for (;;) { try { for (;;); } catch {} } }`,
} as const;

function guard(hook: string, policy: string): void {
  w.file('home/guard.ts', `export const register = (on) => { on('tool.call', { tool: 'Bash' }, ${hook}); };`);
  w.file('home/trotline.json', {
    hooks: { builtins: { guard: { enabled: true, module: './guard.ts', on_error: policy, timeout_ms: 400 } } },
  });
}
const made = (): boolean => existsSync(join(w.project, 'made'));
const asker = (decision: 'allow' | 'deny', asked: string[] = []): LineAsker => ({
  ask: async ({ by }) => {
    asked.push(by);
    return { decision };
  },
});

describe.each(Object.entries(before))('a hook that %s before the tool', (_, hook) => {
  test('open: is skipped, and the tool runs', async () => {
    guard(hook, 'open');
    const out = await bash(await w.open({ allow: ['*'] }), 'touch made; echo ran');
    expect(made()).toBe(true);
    expect(out.text).toContain('ran');
  });

  test('closed: the tool does not run, and the refusal names the hook', async () => {
    guard(hook, 'closed');
    const out = await bash(await w.open({ allow: ['*'] }), 'touch made');
    expect(made()).toBe(false);
    expect(out.deny).toContain('guard');
  });

  test('ask: a yes runs the tool, a no does not, and nobody to ask is a no', async () => {
    guard(hook, 'ask');
    const nobody = await bash(await w.open({ allow: ['*'] }), 'touch made');
    expect(nobody.deny).toBeDefined();
    expect(made()).toBe(false);
    const no = await bash(await w.open({ allow: ['*'], asker: asker('deny') }), 'touch made');
    expect(no.deny).toBeDefined();
    expect(made()).toBe(false);
    const asked: string[] = [];
    await bash(await w.open({ allow: ['*'], asker: asker('allow', asked) }), 'touch made');
    expect(made()).toBe(true);
    expect(asked.join()).toContain('guard');
  });
});

describe.each(Object.entries(after))('a hook that %s after the tool ran', (_, hook) => {
  test("open: the tool's own result stands, and it ran once", async () => {
    guard(hook, 'open');
    const out = await bash(await w.open({ allow: ['*'] }), 'echo x >> made; wc -l < made');
    expect(out.text?.trim()).toBe('1');
  });

  test.each(['closed', 'ask'])('%s: the result is withheld, and the refusal says that the tool ran', async (policy) => {
    guard(hook, policy);
    const out = await bash(await w.open({ allow: ['*'], asker: asker('allow') }), 'touch made; echo secret');
    expect(made()).toBe(true);
    expect(out.text).toBeUndefined();
    expect(out.deny).toMatch(/guard.*ran/);
    expect(JSON.stringify(out)).not.toContain('secret');
  });
});
