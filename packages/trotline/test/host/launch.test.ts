import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

const entry = (extra: object = {}) => ({
  hooks: { builtins: { guard: { enabled: true, module: './guard.ts', ...extra } } },
});

describe.each(['closed', 'deny', 'abort', 'ask'])('a hook with on_error %s that cannot start', (on_error) => {
  beforeEach(() => {
    w.file('home/trotline.json', entry({ on_error }));
    w.file('home/guard.ts', 'throw new Error("no database");');
  });

  test('keeps the line from opening', async () => {
    await expect(w.open()).rejects.toMatchObject({ code: 'host.closed-hook-down' });
    await expect(w.open()).rejects.toThrow(/guard\.ts:1:7/);
  });

  test('has what it guards denied with keepGoing', async () => {
    const line = await w.open({ keepGoing: true, allow: ['*'] });
    expect((await bash(line, 'touch made')).deny).toContain('guard');
    expect(existsSync(join(w.project, 'made'))).toBe(false);
  });
});

test('an open hook that cannot start is a warning, and disables itself alone', async () => {
  w.file('home/trotline.json', {
    hooks: { builtins: { bad: { enabled: true, module: './bad.ts' }, guard: { enabled: true, module: './guard.ts' } } },
  });
  w.file('home/bad.ts', 'export const register = 1;');
  w.file('home/guard.ts', `export const register = (on) => { on('tool.call', () => ({ deny: 'guarded' })); };`);
  const line = await w.open({ allow: ['*'] });
  expect(line.problems.find((p) => p.code === 'modules.no-hook')?.severity).toBe('warning');
  expect(line.owners.map((o) => [o.name, o.state])).toEqual([
    ['bad', 'failed'],
    ['guard', 'ready'],
  ]);
  expect((await bash(line, 'touch made')).deny).toBe('guarded');
});

test('no-hooks opens when everything is locked, is recorded, and is refused under a managed file', async () => {
  w.file('home/trotline.json', entry({ on_error: 'closed' }));
  w.file('home/guard.ts', `export const register = (on) => { on('tool.call', () => ({ deny: 'locked' })); };`);
  const line = await w.open({ noHooks: true, allow: ['*'] });
  await bash(line, 'touch made');
  expect(existsSync(join(w.project, 'made'))).toBe(true);
  expect((await line.records.decisions.find({ tool: '--no-hooks' })).length).toBe(1);
  w.file('managed.json', { policy: { deny: ['Bash:rm *'] } });
  await expect(w.open({ noHooks: true })).rejects.toMatchObject({ code: 'host.no-hooks-refused' });
});

test('a hook on_error abort that fails ends the turn', async () => {
  w.file('home/trotline.json', entry({ on_error: 'abort' }));
  w.file('home/guard.ts', `export const register = (on) => { on('tool.call', () => { throw new Error('boom'); }); };`);
  const line = await w.open({ allow: ['*'] });
  await expect(bash(line, 'touch made')).rejects.toMatchObject({ name: 'AbortTurn', hook: 'guard' });
  expect(existsSync(join(w.project, 'made'))).toBe(false);
});

test("a busy loop in a person's hook is stopped, and under closed the tool does not run", async () => {
  for (const [policy, made] of [
    ['open', true],
    ['closed', false],
    ['ask', false],
  ] as const) {
    w.file('home/trotline.json', entry({ on_error: policy, timeout_ms: 300 }));
    w.file(
      'home/guard.ts',
      `export const register = (on) => { on('tool.call', () => { for (;;) { try { for (;;); } catch {} } }); };`,
    );
    const line = await w.open({ allow: ['*'] });
    await bash(line, `touch made-${policy}`);
    expect(existsSync(join(w.project, `made-${policy}`)), policy).toBe(made);
  }
});

test('a call that a managed rule denies is denied whatever hooks say', async () => {
  w.file('managed.json', { policy: { deny: [{ tool: 'Bash', pattern: '*secret*', reason: 'managed says no' }] } });
  w.file('home/trotline.json', entry());
  w.file(
    'home/guard.ts',
    `export const register = (on) => {
       on('tool.check', () => ({ decision: 'allow' }));
       on('tool.call', async ($, e, next) => { await next(e); return { result: 'loosened', text: 'loosened' }; });
     };`,
  );
  const line = await w.open({ allow: ['*'] });
  const out = await bash(line, 'touch secret');
  expect(out.deny).toContain('managed says no');
  expect(existsSync(join(w.project, 'secret'))).toBe(false);
});

test('what a hook shows reaches the person, and its $ works on this machine', async () => {
  w.file('home/trotline.json', entry());
  w.file(
    'home/guard.ts',
    `export const register = (on) => {
       on('tool.call', async ($, e, next) => { $.ui.log('saw ' + (await $.fs.read('note.txt'))); return next(e); });
     };`,
  );
  w.file('project/note.txt', 'the note');
  const shown: unknown[] = [];
  const line = await w.open({ allow: ['*'], show: (s) => shown.push([s.by, s.text]) });
  await bash(line, 'true');
  expect(shown).toEqual([['guard', 'saw the note']]);
});

test('what the files ask for and this version does not run is a warning with its place', async () => {
  w.file('home/mods/one/hooks.json', '{}');
  w.file('home/trotline.json', { mods: ['./mods/one'] });
  const line = await w.open();
  expect(line.problems.find((p) => p.code === 'host.not-run')).toMatchObject({
    severity: 'warning',
    file: join(w.home, 'trotline.json'),
  });
});

test('those who look for faults open all the same, see a process that cannot start, and have it denied', async () => {
  w.file('home/trotline.json', {
    hooks: {
      processes: {
        gone: { enabled: true, command: ['no-such-program-here'], intercept: ['before_tool'], on_error: 'deny' },
      },
    },
  });
  await expect(w.open()).rejects.toMatchObject({ code: 'host.closed-hook-down' });
  const line = await w.open({ tolerant: true, allow: ['*'] });
  expect(line.owners).toMatchObject([{ name: 'gone', state: 'failed' }]);
  expect(line.problems.find((p) => p.code === 'supervise.cannot-start')?.severity).toBe('error');
  expect((await bash(line, 'touch made')).deny).toContain('gone');
  expect(existsSync(join(w.project, 'made'))).toBe(false);
});

test('commands and files are found from cwd, tools work in workdir', async () => {
  w.file('project/trotline.json', { policy: { deny: ['Bash:*secret*'] } });
  w.file('elsewhere/x', '');
  const line = await w.open({ trust: true, workdir: join(w.project, '..', 'elsewhere'), allow: ['*'] });
  expect((await bash(line, 'touch secret')).deny).toBeDefined();
  await bash(line, 'touch made');
  expect(existsSync(join(w.project, '..', 'elsewhere', 'made'))).toBe(true);
});

test('on_error deny is for what can be refused: the same module may observe', async () => {
  w.file('home/trotline.json', entry({ on_error: 'deny' }));
  w.file(
    'home/guard.ts',
    `export const register = (on) => {
       on('turn.start', ($, e, next) => next(e));
       on('tool.call', () => ({ deny: 'guarded' }));
     };`,
  );
  const line = await w.open({ allow: ['*'] });
  expect(line.owners[0]?.state).toBe('ready');
  expect((await bash(line, 'touch made')).deny).toBe('guarded');
});

test('a hook that cannot be seated is an error with its place, and nothing of the new set stays', async () => {
  w.file('home/trotline.json', {
    hooks: { builtins: { a: { enabled: true, module: './a.ts' }, b: { enabled: true, module: './b.ts' } } },
  });
  w.file('home/a.ts', `export const register = (on) => { on('tool.call', () => ({ deny: 'a' })); };`);
  w.file(
    'home/b.ts',
    `export const register = (on) => { on('turn.start', ($, e, next) => next(e), { onFailure: 'closed' }); };`,
  );
  const error = await w.open().catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'host.closed-hook-down' });
  expect(String(error)).toContain('trotline.json:8');
});

test("a hook's own error says where in its file it arose; one from beneath stays what it was", async () => {
  w.file('home/trotline.json', entry({ on_error: 'closed' }));
  w.file(
    'home/guard.ts',
    `export const register = (on) => {
  on('tool.call', async ($, e, next) => {
    const out = await next(e);
    return out.missing.field;
  });
};`,
  );
  const line = await w.open({ allow: ['*'] });
  expect((await bash(line, 'true')).deny).toContain('guard.ts:4:24');
  w.file('home/guard.ts', `export const register = (on) => { on('prompt.submit', async ($, e, next) => next(e)); };`);
  const other = await w.open({ allow: ['*'] });
  const beneath = new Error('from beneath');
  const raised = other.raise('prompt.submit', { text: 'hi', wait: false, origin: { kind: 'sdk' } } as never, {
    bottom: () => {
      throw beneath;
    },
  });
  await expect(raised).rejects.toBe(beneath);
});

test.each([
  ['does not compile', 'export const = 1;', 'modules.does-not-compile', 1, 14],
  ['throws', `\n  throw new Error('no database');`, 'modules.threw', 2, 9],
])('a module that %s is told with code, file, line, column and remedy', async (_, text, code, line, column) => {
  w.file('home/trotline.json', entry());
  const file = w.file('home/guard.ts', text);
  const { problems } = await w.open({ tolerant: true });
  const problem = problems.find((p) => p.code === code);
  expect(problem).toMatchObject({ file, line, column });
  expect(problem?.remedy).not.toBe('');
  expect(problem?.message).toContain('guard.ts:');
});

test('hooks on fs ops see absolute paths, and can deny a read', async () => {
  w.file('home/trotline.json', entry());
  w.file(
    'home/guard.ts',
    `export const register = (on) => {
       on('fs.read', ($, e, next) => (e.path.endsWith('/project/secret.txt') ? { deny: 'not that one' } : next(e)));
       on('tool.call', async ($, e, next) => ({ result: await $.fs.read('./secret.txt').catch((error) => error.message) }));
     };`,
  );
  w.file('project/secret.txt', 'the secret');
  const out = await bash(await w.open({ allow: ['*'] }), 'true');
  expect(out.text).toBe('guard: $.fs.read: not that one');
});

test('with keepGoing a module that guards requests stops them too, and its deny cannot be turned into a result', async () => {
  w.file('home/trotline.json', {
    hooks: {
      builtins: {
        // Outside the guard: it tries to make a result of what it is denied.
        a: { enabled: true, priority: 1, module: './a.ts' },
        guard: { enabled: true, priority: 2, module: './guard.ts', on_error: 'closed' },
      },
    },
  });
  w.file(
    'home/a.ts',
    `export const register = (on) => { on('tool.call', async ($, e, next) => { await next(e); return { result: 'fine' }; }); };`,
  );
  w.file(
    'home/guard.ts',
    `throw new Error('no database');
     export const register = (on) => { on('llm.request', ($, e, next) => next(e)); on('tool.call', ($, e, next) => next(e)); };`,
  );
  const line = await w.open({ keepGoing: true, allow: ['*'] });
  expect(line.links('llm.request')).toMatchObject([{ name: 'guard', health: 'down' }]);
  const out = await bash(line, 'touch made');
  expect(out.text).toBeUndefined();
  expect(out.deny).toContain('guard is down');
  let sent = false;
  const request = { turnId: 't', index: 0, model: 'm', messages: [], tools: [], options: {} };
  const asked = line.model(
    request as never,
    async function* () {
      sent = true;
      yield { kind: 'text', index: 0, text: 'the model was asked' };
      return { text: '', toolCalls: [], stopReason: null, usage: null };
    } as never,
  );
  const drained = (async () => {
    for await (const _ of asked);
  })();
  await expect(drained).rejects.toMatchObject({ name: 'AbortTurn' });
  expect(sent).toBe(false);
});

test('a process that ended and stays down is shown so, by its owner and by its links', async () => {
  w.file('home/trotline.json', {
    hooks: {
      processes: {
        brief: {
          enabled: true,
          command: ['python3', join(w.home, 'brief.py')],
          intercept: ['before_tool'],
          on_error: 'deny',
          restart: false,
        },
      },
    },
  });
  w.file(
    'home/brief.py',
    `import sys, json
for line in sys.stdin:
    m = json.loads(line)
    if m["method"] != "hook.hello":
        sys.exit(1)
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": {"name": "brief", "protocol_version": 1}}), flush=True)
`,
  );
  const line = await w.open({ allow: ['*'] });
  expect(line.owners[0]?.state).toBe('ready');
  expect((await bash(line, 'touch made')).deny).toContain('brief');
  expect(existsSync(join(w.project, 'made'))).toBe(false);
  await expect.poll(() => line.owners[0]?.state).toBe('failed');
  expect(line.links('tool.call')[0]?.health).toBe('down');
});
