import { describe, expect, test } from 'vitest';
import { createEngine, type Observed } from '../../src/index.ts';
import { madeFile, noticesOf, ruleDeny, told } from './helpers.ts';

const call = { tool: 'Bash', input: { command: 'ls' } } as const;

describe('observers', () => {
  test('get settled dispatches with their trace, and notices, by pattern', async () => {
    const seen: Observed[] = [];
    const line = createEngine();
    line.observe((one) => void seen.push(one), { pattern: 'tool.*' });
    line.on('tool.call', (_$, e, next) => next(e), { name: 'passer' });
    await line.tool(call, () => 'ran');
    await told();
    expect(noticesOf(seen)).toEqual(['tool.started', 'tool.ended']);
    const dispatch = seen.find((one) => one.kind === 'dispatch');
    expect(dispatch).toMatchObject({
      event: 'tool.call',
      origin: { plugin: 'engine', tier: 'core' },
      trace: [{ plugin: 'program' }, { plugin: 'engine' }],
    });
  });

  test('that are slow lose their own oldest items, counted, and delay nobody', async () => {
    const line = createEngine();
    const got: unknown[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = line.observe(
      async (one) => {
        await gate;
        if (one.kind === 'notice') got.push(one.notice.data['message']);
      },
      { pattern: 'observer.failed', queue: 3 },
    );
    const quick: unknown[] = [];
    line.observe((one) => void quick.push(one), { pattern: 'observer.failed' });
    await told();
    for (let i = 0; i < 10; i++) line.notice('observer.failed', { message: `m${i}`, failures: 0 });
    await told();
    expect(quick).toHaveLength(10);
    expect(slow.dropped).toBe(7);
    release();
    await line.close();
    expect(got).toEqual(['m7', 'm8', 'm9']);
  });

  test('that throw are counted and told, and break nothing', async () => {
    const seen: Observed[] = [];
    const line = createEngine();
    line.observe(
      () => {
        throw new Error('observer broke');
      },
      { pattern: 'tool.*' },
    );
    line.observe((one) => void seen.push(one), { pattern: 'observer.*' });
    expect((await line.tool(call, () => 'ran')).text).toBe('ran');
    await told();
    await told();
    expect(noticesOf(seen)).toContain('observer.failed');
  });

  test('stop when told', async () => {
    const seen: Observed[] = [];
    const line = createEngine();
    line.observe((one) => void seen.push(one))();
    await line.tool(call, () => 'ran');
    await told();
    expect(seen).toEqual([]);
  });
});

describe('raise', () => {
  test.each(['tool.call', 'llm.request', 'turn.step'] as const)('refuses %s, which has a pipeline', async (name) => {
    await expect(createEngine().raise(name, {} as never)).rejects.toMatchObject({ code: 'engine.no-raise' });
  });

  test('answers with the event’s neutral result, and refuses where there is none', async () => {
    const line = createEngine();
    expect(await line.raise('turn.start', { text: 'hi', turnId: 't1' })).toEqual({ turnId: 't1' });
    await expect(line.raise('session.send', { to: 'a', text: 'b', origin: { kind: 'model' } })).rejects.toMatchObject({
      code: 'engine.no-bottom',
    });
    await expect(line.raise('no.such' as never, {} as never)).rejects.toMatchObject({ code: 'engine.no-event' });
  });

  test('lets hooks rewrite a prompt on its way down', async () => {
    const line = createEngine();
    line.on('prompt.submit', (_$, e, next) => next({ ...e, text: `${e.text}, please`, context: ['be brief'] }));
    const result = await line.raise('prompt.submit', { text: 'go', wait: false, origin: { kind: 'composer' } });
    expect(result).toEqual({ text: 'go, please', context: ['be brief'] });
  });

  test('gives all hooks of session.end together a second and a half', async () => {
    const line = createEngine();
    let aborted = false;
    line.on('session.end', (_$, _e, next) => {
      next.signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise<never>(() => undefined);
    });
    expect(await line.raise('session.end', { reason: 'other', sessionId: 's1', resume: { id: 's1' } })).toEqual({
      sessionId: 's1',
    });
    expect(aborted).toBe(true);
  });

  test('stamps settings events with what the host knows', async () => {
    const seen: unknown[] = [];
    const line = createEngine({ envelope: () => ({ session_id: 's1', cwd: '/tmp' }) });
    line.on('classic.Notification', (_$, e, next) => {
      seen.push({ ...e });
      return next(e);
    });
    await line.raise('classic.Notification', { message: 'hi', notification_type: 'idle' });
    expect(seen).toEqual([
      { session_id: 's1', cwd: '/tmp', hook_event_name: 'Notification', message: 'hi', notification_type: 'idle' },
    ]);
  });
});

describe('registration', () => {
  test('refuses an event that is not there', () => {
    expect(() => createEngine().on('tool.calls', (_$, e, next) => next(e))).toThrow(/"tool.calls" is not an event/);
  });

  test('a mod’s wildcard selects the events that mods know, and not ours', async () => {
    const seen: string[] = [];
    const line = createEngine();
    const mod = line.owner({ name: 'mod', lane: 'mods' });
    mod.on('*', (_$, e, next) => {
      seen.push(next.event);
      return next(e);
    });
    mod.on('!tool.call', (_$, e, next) => {
      seen.push(`not ${next.event}`);
      return next(e);
    });
    await line.raise('turn.iteration', { turnId: 't', iteration: 1 });
    await line.raise('telemetry.mark', { to: 'anthropic', feature: 'x', kind: 'ok' });
    expect(seen).toEqual([]);
    mod.on('turn.iteration', (_$, e, next) => {
      seen.push('named');
      return next(e);
    });
    await line.raise('turn.iteration', { turnId: 't', iteration: 1 });
    await line.raise('turn.start', { turnId: 't', text: '' });
    expect(seen).toEqual(['named', 'turn.start', 'not turn.start']);
  });

  test('an owner takes all its hooks off the line', async () => {
    const line = createEngine();
    const owner = line.owner({ name: 'guard', onFailure: 'closed' });
    owner.on('tool.call', () => ({ deny: 'no' }));
    expect(line.links('tool.call')).toMatchObject([{ name: 'guard', onFailure: 'closed', order: 0, health: 'ok' }]);
    owner.remove();
    expect(line.links()).toEqual([]);
    expect((await line.tool(call, () => 'ran')).text).toBe('ran');
  });
});

test('an owner whose hooks must block may observe too; a hook that must block where nothing can be refused is an error', () => {
  const line = createEngine();
  const owner = line.owner({ name: 'guard', onFailure: 'closed' });
  owner.on('turn.start', (_$, e, next) => next(e));
  expect(line.links('turn.start')).toMatchObject([{ onFailure: 'open' }]);
  expect(() => owner.on('turn.start', (_$, e, next) => next(e), { onFailure: 'closed' })).toThrow();
});

describe('links and capabilities', () => {
  test('tell calls, failures and the last of them', async () => {
    const line = createEngine();
    line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => {
      if (e.command === 'bad') throw new Error('boom');
      return next(e);
    });
    await line.tool(call, () => 'ran');
    await line.tool({ tool: 'Bash', input: { command: 'bad' } }, () => 'ran');
    expect(line.links('tool.call')).toMatchObject([
      { calls: 2, failures: 1, health: 'failing', lastFailure: { message: expect.stringContaining('boom') } },
    ]);
    await line.tool(call, () => 'ran');
    expect(line.links('tool.call')).toMatchObject([{ calls: 3, failures: 1, health: 'ok' }]);
  });

  test('tell which hooked events this host does not raise, and which ops it serves', async () => {
    const line = createEngine({ ops: { 'fs.read': () => '' } });
    line.raises('turn.start');
    line.on('ui.press', (_$, e, next) => next(e));
    line.on('turn.start', (_$, e, next) => next(e));
    const { raised, silent, ops } = line.capabilities();
    expect(raised).toEqual(['turn.start']);
    expect(silent).toEqual(['ui.press']);
    expect(ops).toContain('fs.read');
  });
});

test('a host that runs its tools here raises what belongs to a tool', async () => {
  const line = createEngine();
  line.on('classic.PostToolUse', (_$, e, next) => next(e));
  expect(line.capabilities().silent).toEqual(['classic.PostToolUse']);
  await line.tool(call, () => 'ran');
  expect(line.capabilities().silent).toEqual([]);
});

describe('explain', () => {
  test('says which links match and why not, and what the rules say, and runs nothing', async () => {
    let ran = 0;
    const line = createEngine({ gate: { rules: () => ruleDeny() } });
    line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => {
      ran += 1;
      return next(e);
    });
    line.on('tool.call', { tool: 'Read' }, (_$, e, next) => next(e));
    line.on('tool.call', { path: 'x' }, (_$, e, next) => next(e));
    const { links, rules, run } = await line.explain('tool.call', { tool: 'Bash', command: 'ls' });
    expect(links.map(({ matches, why }) => [matches, why])).toEqual([
      [true, undefined],
      [false, 'tool does not fit its matcher'],
      [false, 'the event has no path'],
    ]);
    expect(rules).toMatchObject({ rules: { decision: 'deny' } });
    expect([ran, run]).toEqual([0, undefined]);
  });

  test('with run asks the hooks, runs no tool, records nothing and refuses ops that change something', async () => {
    const made = madeFile();
    let recorded = 0;
    const dry: boolean[] = [];
    const errors: unknown[] = [];
    const line = createEngine({
      recorder: { decided: () => void recorded++, settled: () => void recorded++ },
      ops: { 'fs.read': () => 'content', 'fs.write': () => made.run() },
    });
    line.on('tool.call', async ($, e, next) => {
      dry.push(next.dryRun);
      await $.fs.read('a');
      await $.fs.write('a', 'b').catch((error: { code: string }) => errors.push(error.code));
      return next(e);
    });
    const { run } = await line.explain('tool.call', { tool: 'Bash', command: 'ls' }, { run: true });
    expect(run).toMatchObject({ result: { text: 'Bash would run (allow)' } });
    expect(run?.trace.map((entry) => entry.plugin)).toEqual(['program', 'engine']);
    expect([dry, errors, recorded, made.ran]).toEqual([[true], ['engine.dry-run'], 0, false]);
  });

  test('with run says what a deny would say', async () => {
    const line = createEngine();
    line.on('tool.call', () => ({ deny: 'no' }));
    expect((await line.explain('tool.call', { tool: 'Bash' }, { run: true })).run?.result).toMatchObject({
      deny: 'no',
    });
    expect((await line.explain('turn.start', { text: '', turnId: 't' }, { run: true })).run?.result).toEqual({
      turnId: 't',
    });
  });
});

describe('close', () => {
  test('refuses what comes after', async () => {
    const line = createEngine();
    await line.close();
    await expect(line.tool(call, () => 'ran')).rejects.toMatchObject({ code: 'engine.closed' });
    await expect(line.raise('turn.start', { text: '', turnId: 't' })).rejects.toMatchObject({ code: 'engine.closed' });
  });

  test('waits for what runs', async () => {
    const line = createEngine();
    let release: (text: string) => void = () => undefined;
    const running = line.tool(call, () => new Promise<string>((resolve) => (release = resolve)));
    await told();
    const closed = line.close();
    release('ran');
    await closed;
    expect((await running).text).toBe('ran');
  });

  test('aborts what does not end in time', async () => {
    const line = createEngine({ graceMs: 20 });
    const running = line.tool(
      call,
      ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await told();
    await line.close();
    expect(await running).toMatchObject({ aborted: true, isError: true });
  });
});
