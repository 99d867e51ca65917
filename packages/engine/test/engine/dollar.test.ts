import { describe, expect, test } from 'vitest';
import { createEngine, type Dollar, type Engine, type EngineOptions, type Observed } from '../../src/index.ts';
import { madeFile, noticesOf, told } from './helpers.ts';

type Data = Record<string, unknown>;
const files: EngineOptions['ops'] = {
  'fs.read': ({ path }) => `content of ${path}`,
  'fs.write': () => undefined,
};

/** Runs something with a hook's `$`, and gives back what it came to. */
async function within<T>(
  line: Engine,
  act: ($: Dollar) => Promise<T> | T,
  owner = 'mine',
  tier: 'user' | 'prepend' = 'user',
): Promise<T> {
  let result: T | undefined;
  let error: unknown;
  const registrar = line.owner({ name: owner, tier, root: '/plugins/mine' });
  registrar.on('prompt.submit', async ($, e, next) => {
    try {
      result = await act($);
    } catch (thrown) {
      error = thrown;
    }
    return next(e);
  });
  await line.raise('prompt.submit', { text: 'go', wait: false, origin: { kind: 'composer' } });
  registrar.remove();
  if (error !== undefined) throw error;
  return result as T;
}

describe('an op', () => {
  test('answers with what the host serves beneath it', async () => {
    const line = createEngine({ ops: files });
    expect(await within(line, ($) => $.fs.read('a.txt'))).toBe('content of a.txt');
  });

  test('is a dispatch: a hook sees its arguments, rewrites, answers and denies it', async () => {
    const line = createEngine({ ops: files });
    const seen: unknown[] = [];
    const off = line.on('fs.read', (_$, e, next) => {
      seen.push({ ...e }, next.origin);
      return next({ ...e, path: 'b.txt' });
    });
    expect(await within(line, ($) => $.fs.read('a.txt'))).toBe('content of b.txt');
    expect(seen).toEqual([
      { path: 'a.txt', as: 'text' },
      { plugin: 'mine', tier: 'user' },
    ]);
    off();
    const answer = line.on('fs.read', () => ({ value: 'from the hook' }));
    expect(await within(line, ($) => $.fs.read('a.txt'))).toBe('from the hook');
    answer();
    line.on('fs.read', () => ({ deny: 'private' }));
    await expect(within(line, ($) => $.fs.read('a.txt'))).rejects.toThrow(/^mine: \$\.fs\.read: private$/);
  });

  test('that the host cannot serve rejects by name', async () => {
    await expect(within(createEngine(), ($) => $.fs.read('a.txt'))).rejects.toMatchObject({
      code: 'engine.no-op',
      message: expect.stringContaining('mine called $.fs.read'),
    });
  });

  test('with arguments that do not fit rejects', async () => {
    const line = createEngine({ ops: files });
    await expect(within(line, ($) => $.fs.read(7 as never))).rejects.toMatchObject({ code: 'engine.op-arguments' });
  });

  test('that fails beneath rejects with that failure', async () => {
    const line = createEngine({
      ops: {
        'fs.read': () => {
          throw new Error('no such file');
        },
      },
    });
    await expect(within(line, ($) => $.fs.read('a'))).rejects.toThrow('no such file');
  });

  test('does not enter the hook that called it again, and enters its owner’s other hooks', async () => {
    const line = createEngine({ ops: files });
    const entered: string[] = [];
    line.on('fs.*', async ($, e, next) => {
      entered.push('caller');
      await $.fs.read('inner');
      return next(e);
    });
    line.on('fs.read', (_$, e, next) => {
      entered.push(String(e.path));
      return next(e);
    });
    await within(line, ($) => $.fs.read('outer'));
    expect(entered).toEqual(['caller', 'inner', 'outer']);
  });

  test('called by the organisation passes the users by', async () => {
    const line = createEngine({ ops: files });
    line.on('fs.read', () => ({ deny: 'private' }));
    expect(await within(line, ($) => $.fs.read('a'), 'org', 'prepend')).toBe('content of a');
  });

  test('stops the clock of the hook that waits for it', async () => {
    const line = createEngine({
      ops: { 'fs.read': () => new Promise((resolve) => setTimeout(resolve, 200, 'slow')) },
    });
    line.on('tool.call', async ($, _e) => ({ result: await $.fs.read('a') }), { budgetMs: 50 });
    expect(await line.tool({ tool: 'Read', input: {} }, () => 'ran')).toMatchObject({ text: 'slow' });
  });

  test('that sleeps counts against the hook’s time', async () => {
    const line = createEngine();
    line.on(
      'tool.call',
      async ($) => {
        await $.clock.sleep(400);
        return { result: 'slept' };
      },
      { budgetMs: 40 },
    );
    expect(await line.tool({ tool: 'Read', input: {} }, () => 'ran')).toMatchObject({ text: 'ran' });
  });

  test('whose caller gets nothing back tells a deny as a notice', async () => {
    const seen: Observed[] = [];
    const line = createEngine({ ops: { 'ui.log': () => undefined } });
    line.observe((one) => void seen.push(one), { pattern: 'op.*' });
    line.on('ui.log', () => ({ deny: 'quiet' }));
    expect(await within(line, ($) => $.ui.log('hello'))).toBeUndefined();
    await told();
    await told();
    expect(noticesOf(seen)).toEqual(['op.denied']);
  });

  test('that streams gives its chunks, its value by return and as .result', async () => {
    const line = createEngine({
      ops: {
        'process.spawn': async function* () {
          yield { stream: 'stdout', text: 'one' };
          yield { stream: 'stdout', text: 'two' };
          return { value: { code: 0 } };
        },
      },
    });
    const [texts, returned, result] = await within(line, async ($) => {
      const stream = $.process.spawn({ argv: ['ls'] });
      const all: string[] = [];
      for (;;) {
        const step = await stream.next();
        if (step.done === true) return [all, step.value, await stream.result] as const;
        all.push(step.value.text);
      }
    });
    expect([texts, returned, result]).toEqual([['one', 'two'], { code: 0 }, { code: 0 }]);
  });
});

describe('$', () => {
  test('is frozen, with its nouns, and says whose it is', async () => {
    const line = createEngine();
    const [frozen, same, name, root] = await within(line, ($) => [
      Object.isFrozen($),
      Object.is($.fs, $.fs),
      $.plugin.name,
      $.plugin.root,
    ]);
    expect([frozen, same, name, root]).toEqual([true, true, 'mine', '/plugins/mine']);
  });

  test('takes nouns that a host adds later, and lets go of them', async () => {
    const line = createEngine();
    const back = line.serve({ 'weather.today': ({ city }) => `rain in ${city}` });
    line.on('weather.*', (_$, e, next) => next({ ...e, city: 'Bergen' }));
    const today = ($: Dollar) => ($['weather'] as { today: (q: Data) => Promise<string> }).today({ city: 'Rome' });
    expect(await within(line, today)).toBe('rain in Bergen');
    back();
    expect(await within(line, ($) => $['weather'])).toBeUndefined();
  });

  test('refuses a name that is no op', () => {
    expect(() => createEngine({ ops: { __proto__x: () => 1 } })).toThrow(/no name of an op/);
    expect(() => createEngine().serve({ 'a.b.c': () => 1 })).toThrow(/no name of an op/);
  });
});

describe('$.state', () => {
  const ref = { plugin: 'mine', key: 'count' };
  test('is set by its owner alone, read by all, and counts versions', async () => {
    const line = createEngine();
    expect(await within(line, ($) => $.state.get(ref))).toEqual({ value: undefined, version: 0 });
    const { version } = await within(line, ($) => $.state.set(ref, { n: 1 }));
    expect(await within(line, ($) => $.state.get(ref), 'other')).toEqual({ value: { n: 1 }, version });
    await expect(within(line, ($) => $.state.set(ref, 2), 'other')).rejects.toMatchObject({
      code: 'engine.state-owner',
    });
    expect(await within(line, ($) => $.state.set(ref, 2, { ifVersion: version + 7 }))).toEqual({
      isSet: false,
      version,
    });
    expect((await within(line, ($) => $.state.set(ref, 2, { ifVersion: version }))).isSet).toBe(true);
  });

  test('is unset when the session ends', async () => {
    const line = createEngine();
    await within(line, ($) => $.state.set(ref, 1));
    await line.raise('session.end', { reason: 'clear', sessionId: 's', resume: { id: 's' } });
    expect(await within(line, ($) => $.state.get(ref))).toEqual({ value: undefined, version: 0 });
  });
});

describe('$.clock', () => {
  test('calls back later, again and again, and stops when told or when its owner goes', async () => {
    const line = createEngine();
    const registrar = line.owner({ name: 'ticker' });
    let once = 0;
    let ticks = 0;
    let cancelled = 0;
    registrar.on('turn.start', ($, e, next) => {
      $.clock.after(1, () => void once++);
      $.clock.every(1, () => void ticks++);
      $.clock.after(1, () => void cancelled++).cancel();
      return next(e);
    });
    await line.raise('turn.start', { text: '', turnId: 't' });
    while (ticks < 3) await told();
    registrar.remove();
    const after = ticks;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([once, cancelled]).toEqual([1, 0]);
    expect(ticks).toBeLessThanOrEqual(after + 1);
  });
});

describe('engine events', () => {
  test('reject where the host has no behaviour for them, and keep their own results where it has', async () => {
    const line = createEngine();
    await expect(within(line, ($) => $.session.send({ to: 'a', text: 'b' }))).rejects.toMatchObject({
      code: 'engine.no-op',
    });
    line.serve({ 'session.send': ({ to, text }) => ({ isDelivered: to === 's1' && text === 'hi' }) });
    expect(await within(line, ($) => $.session.send({ to: { sessionId: 's1' }, text: 'hi' }))).toEqual({
      isDelivered: true,
    });
  });

  test('$.tool.call goes through the whole pipeline', async () => {
    const made = madeFile();
    const line = createEngine({
      gate: {
        rules: ({ input }) =>
          input['command'] === 'rm'
            ? { decision: 'deny', reason: 'no rm', source: { kind: 'rule', name: 'r' } }
            : undefined,
      },
    });
    line.serve({}, (name) => (name === 'Bash' ? { run: made.run } : undefined));
    expect(await within(line, ($) => $.tool.call({ tool: 'Bash', command: 'rm' }))).toEqual({ deny: 'no rm' });
    expect(made.ran).toBe(false);
    expect(await within(line, ($) => $.tool.call({ tool: 'Bash', command: 'ls' }))).toMatchObject({ text: 'ran' });
    expect(made.ran).toBe(true);
    await expect(within(line, ($) => $.tool.call({ tool: 'Nope' }))).rejects.toMatchObject({ code: 'engine.no-tool' });
  });

  test('$.tool.call does not enter the hook that called it', async () => {
    const line = createEngine();
    line.serve({}, () => ({ run: () => 'inner' }));
    let entered = 0;
    line.on('tool.call', async ($, e, next) => {
      entered += 1;
      await $.tool.call({ tool: 'Read', file_path: 'a' });
      return next(e);
    });
    await line.tool({ tool: 'Bash', input: { command: 'ls' } }, () => 'ran');
    expect(entered).toBe(1);
  });

  test('$.tool.check says what would be decided, and runs nothing', async () => {
    const line = createEngine({
      gate: { fallback: () => ({ decision: 'ask', source: { kind: 'default', name: 'd' } }) },
    });
    expect(await within(line, ($) => $.tool.check({ tool: 'Bash', input: {} }))).toEqual({ decision: 'ask' });
    line.on('tool.check', () => ({ decision: 'deny', reason: 'never' }));
    expect(await within(line, ($) => $.tool.check({ tool: 'Bash', input: {} }))).toEqual({
      decision: 'deny',
      reason: 'never',
    });
  });

  test('$.ui.ask is a call of AskUserQuestion', async () => {
    const line = createEngine();
    line.on('tool.call', { tool: 'AskUserQuestion' as never }, () => ({ result: { answers: { 'Which?': 'this' } } }));
    line.serve({}, (name) => (name === 'AskUserQuestion' ? { run: () => 'nobody' } : undefined));
    expect(await within(line, ($) => $.ui.ask('Which?', ['this', 'that']))).toBe('this');
  });

  test('what follows from a call does not enter the hook again', async () => {
    const line = createEngine();
    let entered = 0;
    line.serve({
      'agent.spawn': async (_e, { cause }) => {
        await line.tool({ tool: 'Bash', input: {}, cause }, () => 'ran');
        return { model: 'm' };
      },
    });
    line.on('tool.call', async ($, e, next) => {
      entered += 1;
      await $.agent.spawn({ prompt: 'go' });
      return next(e);
    });
    await line.tool({ tool: 'Read', input: {} }, () => 'ran');
    expect(entered).toBe(1);
  });
});
