import { describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Hook,
  type Observed,
  type OwnerSpec,
} from '../../src/index.ts';
import { codesOf, defaultAsk, madeFile, managedDeny, personDeny, ruleAsk, ruleDeny, told } from './helpers.ts';

const call = { tool: 'Bash', input: { command: 'ls' } } as const;
type Tier = NonNullable<OwnerSpec['tier']>;

/** Seats a failing guard and, further out, somebody who wants the call to go through. */
const guard = (line: Engine): void => {
  line.owner({ name: 'guard', tier: 'builtin', onFailure: 'closed' }).on('tool.call', () => {
    throw new Error('guard broke');
  });
};
const closedCheck = (line: Engine): void => {
  line.owner({ name: 'guard', tier: 'builtin', onFailure: 'closed' }).on('tool.check', () => {
    throw new Error('guard broke');
  });
};

const allow: Hook<'tool.check'> = () => ({ decision: 'allow' });
const allowAfter: Hook<'tool.check'> = async (_$, e, next) => {
  await next(e);
  return { decision: 'allow' };
};
const answerAfter: Hook<'tool.call'> = async (_$, e, next) => {
  await next(e);
  return { result: 'it went through' };
};
const answerAfterTwo: Hook<'tool.call'> = async (_$, e, next) => {
  await next(e);
  await Promise.resolve(next({ ...e, tool: 'Other' })).catch(() => undefined);
  return { result: 'it went through' };
};
const answerWhilePending: Hook<'tool.call'> = async (_$, e, next) => {
  await next(e);
  void Promise.resolve(next(e)).catch(() => undefined);
  return { result: 'it went through' };
};
const denyUndefined: Hook<'tool.call'> = async (_$, e, next) => {
  await next(e);
  return { deny: undefined, result: 'it went through' };
};
const catcher: Hook<'tool.check'> = () => {
  throw new Error('then ask my handler');
};

const rules: Record<string, EngineOptions> = {
  'a managed deny': {
    gate: {
      managed: ({ input }) => (input['command'] === 'ls' ? undefined : managedDeny()),
      rules: () => managedDeny(),
    },
  },
  'a rule’s deny': { gate: { rules: () => ruleDeny() } },
  'a rule’s ask that was answered with no': { gate: { rules: () => ruleAsk(), ask: async () => personDeny() } },
};

describe.each(Object.entries(rules))('%s', (_name, options) => {
  describe.each(['user', 'append', 'builtin'] as Tier[])('cannot be loosened by a hook of tier %s', (tier) => {
    test.each([
      ['that answers at tool.check', allow],
      ['that calls next and then allows', allowAfter],
    ])('%s', async (_how, hook) => {
      const made = madeFile();
      const line = createEngine(options);
      line.owner({ name: 'loose', tier }).on('tool.check', hook);
      expect((await line.tool(call, made.run)).deny).toBeDefined();
      expect(made.ran).toBe(false);
    });

    test('from a .catch handler', async () => {
      const made = madeFile();
      const line = createEngine(options);
      line
        .owner({ name: 'loose', tier })
        .on('tool.check', catcher)
        .catch(() => ({ decision: 'allow' }));
      expect((await line.tool(call, made.run)).deny).toBeDefined();
      expect(made.ran).toBe(false);
    });
  });
});

describe.each([
  ['a rule’s deny', { gate: { rules: () => ruleDeny() } }, () => undefined],
  ['a failed guard’s deny', {}, guard],
  ['a person’s no', { gate: { fallback: () => defaultAsk(), ask: async () => personDeny() } }, () => undefined],
] as [string, EngineOptions, (line: Engine) => void][])('%s at tool.call', (_name, options, seat) => {
  test.each([
    ['user', answerAfter],
    ['append', answerAfter],
    ['user', answerAfterTwo],
    ['user', answerWhilePending],
    ['user', denyUndefined],
  ] as [Tier, Hook<'tool.call'>][])('is put back when a hook of tier %s makes a result of it', async (tier, hook) => {
    const made = madeFile();
    const seen: Observed[] = [];
    const line = createEngine(options);
    line.observe((one) => void seen.push(one), { pattern: 'tool.call' });
    seat(line);
    line.owner({ name: 'loose', tier }).on('tool.call', hook);
    const out = await line.tool(call, made.run);
    expect(out.deny).toBeDefined();
    expect(out.result).toBeUndefined();
    expect(made.ran).toBe(false);
    await told();
    expect(codesOf(seen, 'tool.call')).toContain('engine.loosened');
  });

  test('stays one through a hook that only changes its words', async () => {
    const line = createEngine(options);
    seat(line);
    line.owner({ name: 'outer' }).on('tool.call', answerAfter);
    line.owner({ name: 'words', tier: 'append' }).on('tool.call', async (_$, e, next) => {
      await next(e);
      return { deny: 'in other words: no' };
    });
    expect(await line.tool(call, () => 'ran')).toMatchObject({ deny: 'in other words: no' });
  });

  test('may be loosened by the organisation', async () => {
    const line = createEngine(options);
    seat(line);
    line.owner({ name: 'org', tier: 'prepend' }).on('tool.call', answerAfter);
    expect(await line.tool(call, () => 'ran')).toMatchObject({ text: 'it went through' });
  });
});

test('an undefined deny beside a result denies nothing and hides nothing', async () => {
  const line = createEngine();
  line.on('tool.call', denyUndefined);
  const out = await line.tool(call, () => 'ran');
  expect(out).toMatchObject({ result: 'it went through', text: 'it went through' });
  expect(out.deny).toBeUndefined();
});

test('a deny of another hook may be made a result', async () => {
  const line = createEngine();
  line.on('tool.call', answerAfter);
  line.owner({ name: 'inner', tier: 'append' }).on('tool.call', () => ({ deny: 'no' }));
  expect(await line.tool(call, () => 'ran')).toMatchObject({ text: 'it went through' });
});

test('a guard that failed closed at tool.check is not overruled', async () => {
  const made = madeFile();
  const line = createEngine();
  closedCheck(line);
  line.on('tool.check', allowAfter);
  expect((await line.tool(call, made.run)).deny).toContain('guard');
  expect(made.ran).toBe(false);
});

describe('an ask', () => {
  const asking = (kind: 'rule' | 'default') => {
    let asked = 0;
    const options: EngineOptions = {
      gate: {
        [kind === 'rule' ? 'rules' : 'fallback']: () => (kind === 'rule' ? ruleAsk() : defaultAsk()),
        ask: async () => {
          asked += 1;
          return personDeny();
        },
      },
    };
    return { options, count: () => asked };
  };

  test('of a rule is not lifted by a user’s hook: the person is asked', async () => {
    const made = madeFile();
    const { options, count } = asking('rule');
    const line = createEngine(options);
    line.on('tool.check', allow);
    await line.tool(call, made.run);
    expect([made.ran, count()]).toEqual([false, 1]);
  });

  test('of a rule is not lifted by PreToolUse', async () => {
    const { options, count } = asking('rule');
    const line = createEngine(options);
    line.on('classic.PreToolUse', () => ({ allow: true }));
    await line.tool(call, () => 'ran');
    expect(count()).toBe(1);
  });

  test('of a rule may be tightened', async () => {
    const { options, count } = asking('rule');
    const line = createEngine(options);
    line.on('tool.check', () => ({ decision: 'deny', reason: 'never' }));
    expect(await line.tool(call, () => 'ran')).toEqual({ deny: 'never' });
    expect(count()).toBe(0);
  });

  test('of a rule may be lifted by the organisation', async () => {
    const made = madeFile();
    const { options, count } = asking('rule');
    const line = createEngine(options);
    line.owner({ name: 'org', tier: 'prepend' }).on('tool.check', allow);
    await line.tool(call, made.run);
    expect([made.ran, count()]).toEqual([true, 0]);
  });

  test('of the permission default may be lifted by a hook, and by PreToolUse', async () => {
    const { options, count } = asking('default');
    const line = createEngine(options);
    const off = line.on('tool.check', allow);
    expect((await line.tool(call, () => 'ran')).text).toBe('ran');
    off();
    line.on('classic.PreToolUse', () => ({ allow: true }));
    expect((await line.tool(call, () => 'ran')).text).toBe('ran');
    expect(count()).toBe(0);
  });
});

test('a managed option lets hooks loosen rules, but not a failed guard', async () => {
  const options: EngineOptions = { gate: { rules: () => ruleDeny() }, loosening: true };
  const line = createEngine(options);
  line.on('tool.check', allow);
  expect((await line.tool(call, () => 'ran')).text).toBe('ran');
  const guarded = createEngine({ loosening: true });
  closedCheck(guarded);
  guarded.on('tool.check', allowAfter);
  expect((await guarded.tool(call, () => 'ran')).deny).toBeDefined();
});

test('PreToolUse’s block may be lifted at tool.check, as it is not managed', async () => {
  const line = createEngine();
  line.on('classic.PreToolUse', () => ({ deny: 'blocked' }));
  expect((await line.tool(call, () => 'ran')).deny).toBe('blocked');
  line.on('tool.check', allow);
  expect((await line.tool(call, () => 'ran')).text).toBe('ran');
});

test('who was asked about a call cannot change it after the answer', async () => {
  let kept: Record<string, unknown> = {};
  const given: unknown[] = [];
  const line = createEngine({
    gate: {
      rules: () => ruleAsk(),
      ask: async ({ input }) => {
        kept = input as Record<string, unknown>;
        setTimeout(() => Reflect.set(kept, 'command', 'rm -rf ~'));
        return { decision: 'allow', source: { kind: 'person', name: 'me' } };
      },
    },
    recorder: { decided: () => new Promise((resolve) => setTimeout(resolve, 10)), settled: () => undefined },
  });
  await line.tool(call, ({ input }) => {
    given.push(input.command);
    return 'ran';
  });
  expect(given).toEqual(['ls']);
  expect(Object.isFrozen(kept)).toBe(true);
});
