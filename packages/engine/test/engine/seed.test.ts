import { expect, test } from 'vitest';
import { createEngine, type Dollar } from '../../src/index.ts';
import { madeFile } from './helpers.ts';

// The samples of the text that describes the chain, run as they stand there, each held to what the text says of it.

const edit = (file_path: string) => ({ tool: 'Edit', input: { file_path, old_string: 'a', new_string: 'b' } });
const spawn = {
  tool_use_id: 't1',
  prompt: 'look',
  description: 'looks',
  subagentType: 'Explore',
  provider: { plugin: 'engine', tier: 'core' },
  parentModel: 'large',
  background: false,
  fork: false,
} as const;

test('a hook that looks before and passes on changes nothing', async () => {
  const line = createEngine();
  let startedAt: number | undefined;
  let tools = 7;
  line.on('prompt.submit', async ($, e, next) => {
    startedAt = await $['clock']?.['now']?.();
    tools = 0;

    return next(e);
  });
  const out = await line.raise(
    'prompt.submit',
    { text: 'hello', wait: false, origin: { kind: 'composer' } },
    { bottom: (e) => ({ text: e.text }) },
  );
  expect(out).toEqual({ text: 'hello' });
  expect([typeof startedAt, tools]).toEqual(['number', 0]);
});

test('a hook that looks afterwards sees what happened: edited, failed or denied', async () => {
  const line = createEngine({
    gate: { rules: (call) => (call.input['file_path'] === '/denied' ? denied : undefined) },
  });
  const denied = { decision: 'deny', source: { kind: 'rule', name: 'r' } } as const;
  const noted: string[] = [];
  line.on('tool.call', { tool: 'Edit' }, async (_$, e, next) => {
    const ran = await next(e);
    if (ran.deny === undefined && ran.isError !== true) noted.push(String(e['file_path']));
    return ran;
  });
  await line.tool(edit('/ok'), () => 'edited');
  await line.tool(edit('/denied'), () => 'edited');
  await line.tool(edit('/failed'), () => ({ result: 'no such file', isError: true }));
  await line.tool({ tool: 'Read', input: { file_path: '/read' } }, () => 'text');
  expect(noted).toEqual(['/ok']);
});

test('the outermost sees the event first and the result last', async () => {
  const line = createEngine();
  const seen: string[] = [];
  for (const tier of ['append', 'user', 'prepend'] as const) {
    line.owner({ name: tier, tier }).on('tool.call', async (_$, e, next) => {
      seen.push(`${tier} down`);
      const ran = await next(e);
      seen.push(`${tier} up`);
      return ran;
    });
  }
  await line.tool(edit('/a'), () => 'edited');
  expect(seen).toEqual(['prepend down', 'user down', 'append down', 'append up', 'user up', 'prepend up']);
});

test('e is frozen, and a changed copy handed to next is what lies beneath sees', async () => {
  const line = createEngine();
  const modes: Record<string, string> = { Explore: 'small' };
  const routed: Record<string, string> = {};
  let frozen = false;
  line.on('agent.spawn', async (_$, e, next) => {
    frozen = Object.isFrozen(e) && Object.isFrozen(e.provider);
    if (e.model !== undefined || e.fork || e.isTeammate === true) return next(e);
    const target = modes[e.subagentType];
    if (target === undefined) return next(e);
    const r = await next({ ...e, model: target });
    const id = (r as { agentId?: string }).agentId;
    if (id !== undefined) routed[id] = target;
    return r;
  });
  const bottom = (e: { readonly model?: string | undefined }) => ({ model: e.model ?? 'inherit', agentId: 'a1' });
  expect(await line.raise('agent.spawn', spawn, { bottom })).toEqual({ model: 'small', agentId: 'a1' });
  expect(await line.raise('agent.spawn', { ...spawn, model: 'own' }, { bottom })).toMatchObject({ model: 'own' });
  expect(await line.raise('agent.spawn', { ...spawn, subagentType: 'Other' }, { bottom })).toMatchObject({
    model: 'inherit',
  });
  expect([frozen, routed]).toEqual([true, { a1: 'small' }]);
});

test('changing a pinned field makes the hook fail and be skipped', async () => {
  const line = createEngine();
  line.on('agent.spawn', (_$, e, next) => next({ ...e, parentModel: 'forged', model: 'forged' }));
  const bottom = (e: { readonly model?: string | undefined }) => ({ model: e.model ?? 'inherit' });
  expect(await line.raise('agent.spawn', spawn, { bottom })).toEqual({ model: 'inherit' });
});

test('changing the return of an event that is only observed changes nothing', async () => {
  const line = createEngine();
  line.on('turn.start', async (_$, e, next) => {
    await next(e);
    return { turnId: 'forged' };
  });
  const out = await line.raise('turn.start', { text: 'x', turnId: 't1' }, { bottom: (e) => ({ turnId: e.turnId }) });
  expect(out).toEqual({ turnId: 't1' });
});

test('a refusal without next: neither the other hooks, nor the permission, nor the tool run', async () => {
  let asked = 0;
  const line = createEngine({
    gate: {
      rules: () => {
        asked++;
        return undefined;
      },
    },
  });
  const made = madeFile();
  const marked: string[] = [];
  let inner = 0;
  const decide = async (path: string) =>
    path.startsWith('/locked') ? { deny: 'Someone else edits this file.' } : undefined;
  line.on('tool.call', { tool: 'Edit' }, async (_$, e, next) => {
    const bar = await decide(String(e['file_path']));
    if (bar) return bar;
    const ran = await next(e);
    if (ran.deny === undefined && ran.isError !== true) marked.push(String(e['file_path']));
    return ran;
  });
  line.on('tool.call', (_$, e, next) => {
    inner++;
    return next(e);
  });
  expect((await line.tool(edit('/locked/a'), made.run)).deny).toBe('Someone else edits this file.');
  expect([made.ran, inner, asked, marked]).toEqual([false, 0, 0, []]);
  await line.tool(edit('/free'), made.run);
  expect([made.ran, inner, marked]).toEqual([true, 1, ['/free']]);
  expect(asked > 0).toBe(true);
});

test('a hook that throws is skipped, as if it were not there: fine for a counter, terrible for a guard', async () => {
  const line = createEngine();
  const made = madeFile();
  line.on('tool.call', () => {
    throw new Error('boom');
  });
  expect((await line.tool(edit('/a'), made.run)).text).toBe('ran');
  expect(made.ran).toBe(true);
});

test('the repair is .catch: the handler runs in its place with the same shape', async () => {
  const line = createEngine();
  const redact = (message: { content: readonly unknown[] }): never => {
    throw new Error(`cannot read ${message.content.length} blocks`);
  };
  const placeholderFor = (message: object) => ({ ...message, content: [{ type: 'text', text: '[redacted]' }] });
  line
    .on('session.append', (_$, e, next) => next({ ...e, message: redact(e.message) }))
    .catch((_$, e, next) => next({ ...e, message: placeholderFor(e.message) }));
  const out = await line.raise(
    'session.append',
    {
      message: { type: 'user', content: [{ type: 'text', text: 'secret' }] },
      door: 'prompt',
      origin: { kind: 'composer' },
      uuid: 'u1',
    },
    { bottom: (e) => ({ message: e.message, uuid: e.uuid }) },
  );
  expect(JSON.stringify(out)).toContain('[redacted]');
  expect(JSON.stringify(out)).not.toContain('secret');
});

test('a guard with .catch fails closed, and its helper reads the session through $', async () => {
  let cwd = '/project';
  const line = createEngine({
    ops: {
      'session.cwd': () => {
        if (cwd === '') throw new Error('gone');
        return cwd;
      },
    },
  });
  async function decide($: Dollar, path: string) {
    const outside = !path.startsWith(await $['session']?.['cwd']?.());
    return outside ? { deny: 'Fora da pasta do projeto.' } : undefined;
  }
  line
    .on('tool.call', { tool: 'Write' }, async ($, e, next) => {
      const bar = await decide($, String(e['file_path']));
      return bar ?? next(e);
    })
    .catch(() => ({ deny: 'A guarda falhou; escrita barrada por segurança.' }));
  const write = (file_path: string, run: () => string) =>
    line.tool({ tool: 'Write', input: { file_path, content: 'x' } }, run);
  const made = [madeFile(), madeFile(), madeFile()] as const;
  expect((await write('/etc/passwd', made[0].run)).deny).toBe('Fora da pasta do projeto.');
  expect((await write('/project/a', made[1].run)).text).toBe('ran');
  cwd = '';
  expect((await write('/project/a', made[2].run)).deny).toBe('A guarda falhou; escrita barrada por segurança.');
  expect(made.map((one) => one.ran)).toEqual([false, true, false]);
});

test('waiting for next or for $ is free, $.clock.sleep is not, and who reaches the line loses the turn', async () => {
  const slow = () => new Promise<string>((done) => setTimeout(() => done('/project'), 600));
  const line = createEngine({ ops: { 'session.cwd': slow } });
  const left: number[] = [];
  line.on(
    'tool.call',
    { tool: 'Read' },
    async ($, e, next) => {
      await $['session']?.['cwd']?.();
      left.push(next.budget.remainingMs);
      return { ...(await next(e)), context: ['waited'] } as never;
    },
    { budgetMs: 300 },
  );
  line.on(
    'tool.call',
    { tool: 'Write' },
    async ($, e, next) => {
      for (let i = 0; i < 100; i++) await $['clock']?.['sleep']?.(50);
      left.push(-1);
      return next(e);
    },
    { budgetMs: 300 },
  );
  const read = await line.tool({ tool: 'Read', input: { file_path: '/a' } }, async () => slow());
  expect(read.context).toEqual(['waited']);
  expect((await line.tool({ tool: 'Write', input: { file_path: '/a', content: '' } }, () => 'ran')).text).toBe('ran');
  expect(left).toHaveLength(1);
  expect(left[0]! > 0 && left[0]! <= 300).toBe(true);
});

test('next.signal ends a wait together with the dispatch', async () => {
  const line = createEngine();
  const stop = new AbortController();
  let woke: unknown;
  line.on('tool.call', async ($, e, next) => {
    setTimeout(() => stop.abort(new Error('interrupted')), 10);
    try {
      await $['clock']?.['sleep']?.(5_000, { signal: next.signal });
    } catch (error) {
      woke = error;
    }
    return next(e);
  });
  await line.tool({ ...edit('/a'), signal: stop.signal }, () => 'edited').catch(() => undefined);
  expect(String(woke)).toContain('interrupted');
});
