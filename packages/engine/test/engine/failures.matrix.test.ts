import { describe, expect, test } from 'vitest';
import { createEngine, type FailurePolicy, type Hook } from '../../src/index.ts';
import { madeFile, personAllow, personDeny } from './helpers.ts';

const call = { tool: 'Bash', input: { command: 'ls' } } as const;
const policies: FailurePolicy[] = ['open', 'closed', 'ask'];
const budgetMs = 30;

/** Every way in which a hook can fail before `next`. */
const before: Record<string, Hook<'tool.call'>> = {
  'that throws': () => {
    throw new Error('boom');
  },
  'that rejects': () => Promise.reject(new Error('boom')),
  'that never answers': () => new Promise<never>(() => undefined),
  'that answers late': () => new Promise((resolve) => setTimeout(resolve, 300, { result: 'late' })),
  'that answers the wrong shape': () => ({ verdict: 'fine' }) as never,
  'that answers nothing': () => undefined as never,
  'that answers both ways': () => ({ deny: 'no', result: 'yes' }) as never,
  'whose rewrite is refused': (_$, e, next) => next({ ...e, tool: 'Other' }),
};

describe.each(Object.entries(before))('a hook %s', (_how, hook) => {
  test.each(policies)('under %s where nobody can be asked', async (onFailure) => {
    const made = madeFile();
    const line = createEngine();
    line.owner({ name: 'guard' }).on('tool.call', hook, { onFailure, budgetMs });
    const out = await line.tool(call, made.run);
    expect(made.ran).toBe(onFailure === 'open');
    if (onFailure !== 'open') expect(out.deny).toContain('guard');
  });

  test.each([
    ['allows', personAllow(), true],
    ['denies', personDeny(), false],
  ])('under ask, where the person %s', async (_name, answer, ran) => {
    const made = madeFile();
    const reasons: unknown[] = [];
    const line = createEngine({
      gate: {
        ask: async (_call, verdict) => {
          reasons.push(verdict.reason);
          return answer;
        },
      },
    });
    line.owner({ name: 'guard' }).on('tool.call', hook, { onFailure: 'ask', budgetMs });
    await line.tool(call, made.run);
    expect(made.ran).toBe(ran);
    expect(reasons).toEqual([expect.stringContaining('guard')]);
  });

  test('at tool.check under ask has the person asked, who says no', async () => {
    const made = madeFile();
    let asked = 0;
    const line = createEngine({
      gate: {
        ask: async () => {
          asked += 1;
          return personDeny();
        },
      },
    });
    const check = hook as unknown as Hook<'tool.check'>;
    line.owner({ name: 'guard' }).on('tool.check', check, { onFailure: 'ask', budgetMs });
    await line.tool(call, made.run);
    expect([asked, made.ran]).toEqual([1, false]);
  });

  test.each(policies)('at tool.check under %s where nobody can be asked', async (onFailure) => {
    const made = madeFile();
    const line = createEngine();
    const check = hook as unknown as Hook<'tool.check'>;
    line.owner({ name: 'guard' }).on('tool.check', check, { onFailure, budgetMs });
    await line.tool(call, made.run);
    expect(made.ran).toBe(onFailure === 'open');
  });
});

test('a hook that fails after the tool ran keeps its result under open, and withholds it under closed', async () => {
  const late: Hook<'tool.call'> = async (_$, e, next) => {
    await next(e);
    throw new Error('boom');
  };
  const open = madeFile();
  const line = createEngine();
  const off = line.on('tool.call', late);
  expect((await line.tool(call, open.run)).text).toBe('ran');
  off();
  const closed = madeFile();
  line.on('tool.call', late, { onFailure: 'closed' });
  const out = await line.tool(call, closed.run);
  expect(closed.ran).toBe(true);
  expect(out.result).toBeUndefined();
  expect(out.deny).toContain('the tool');
});

test('a failure that wants a person asked counts beside the permission default, whose no stands', async () => {
  const made = madeFile();
  const line = createEngine({
    gate: {
      fallback: () => ({ decision: 'deny', reason: 'not here', source: { kind: 'default', name: 'default' } }),
      ask: async () => personAllow(),
    },
  });
  line.on(
    'tool.call',
    () => {
      throw new Error('boom');
    },
    { onFailure: 'ask' },
  );
  expect(await line.tool(call, made.run)).toEqual({ deny: 'not here' });
  expect(made.ran).toBe(false);
});

test('a hook may not fake an error, drop context or leave old words on a new result', async () => {
  const line = createEngine();
  line.on('classic.PostToolUse', () => ({ additionalContext: ['from beneath'] }));
  line.on('tool.call', async (_$, e, next) => {
    const beneath = await next(e);
    return { ...beneath, result: 'masked', isError: true, context: ['mine'] };
  });
  expect(await line.tool(call, () => 'secret')).toEqual({
    result: 'masked',
    text: 'masked',
    context: ['from beneath', 'mine'],
  });
});

test('an error from beneath stays one through a hook that passes it on', async () => {
  const line = createEngine();
  line.on('tool.call', async (_$, e, next) => structuredClone(await next(e)));
  const out = await line.tool(call, () => ({ result: { code: 1 }, text: 'exit 1', isError: true }));
  expect(out).toEqual({ result: { code: 1 }, text: 'exit 1', isError: true });
});
