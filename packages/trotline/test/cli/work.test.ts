import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, jsonLines, makePlace, type Place, script, start, trotline } from './harness.ts';

const places: Place[] = [];
const place = (files?: Record<string, string>): Place => {
  const made = makePlace(files);
  places.push(made);
  return made;
};
beforeAll(ensureBuilt, 120_000);
afterEach(() => {
  for (const made of places.splice(0)) made.remove();
});

const bash = (command: string) => ({ toolCalls: [{ name: 'Bash', input: { command } }] });
const hook = (text: string): Record<string, string> => ({
  'trotline.json': '{ "hooks": { "builtins": { "mine": { "enabled": true, "module": "./hook.mjs" } } } }',
  'hook.mjs': text,
});

/** The number of the process that wrote it to the file `pid`, once it has. */
async function pidIn({ cwd }: Place): Promise<number> {
  const file = join(cwd, 'pid');
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await new Promise((r) => setTimeout(r, 20));
  return Number(readFileSync(file, 'utf8'));
}

test('run streams the answer to stdout alone, does the work, and exits with 0', async () => {
  const here = place({ 's.json': script({ text: 'I make it.', ...bash('touch made') }, { text: 'Made.' }) });
  const { code, stdout, stderr } = await trotline(here, [
    'run',
    'make it',
    '--model',
    'script:s.json',
    '--allow',
    'Bash',
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'I make it.\nMade.\n' });
  expect(stderr).toContain('touch made');
  expect(existsSync(join(here.cwd, 'made'))).toBe(true);
});

test('the task comes from stdin with -', async () => {
  const turn = { text: 'Yes.', expect: [{ in: 'lastUser', contains: 'from the pipe' }] };
  const here = place({ 's.json': script(turn) });
  const { code } = await trotline(here, ['run', '-', '--model', 'script:s.json'], { input: 'from the pipe\n' });
  expect(code).toBe(0);
});

test('an empty task is wrong use', async () => {
  const { code, stderr } = await trotline(place(), ['run', '-', '--model', 'script:none.json'], { input: ' \n' });
  expect(code).toBe(2);
  expect(stderr).toContain('cli.no-task');
});

test('script and --config are relative to the shell, --cwd moves the tools alone', async () => {
  const here = place({
    's.json': script(bash('touch made'), { text: 'Done.' }),
    ...hook('export const register = () => {};'),
  });
  mkdirSync(join(here.cwd, 'inner'));
  const args = ['run', 'go', '--model', 'script:s.json', '--config', 'trotline.json', '--cwd', 'inner', '--allow', '*'];
  const { code } = await trotline(here, args);
  expect(code).toBe(0);
  expect(readdirSync(join(here.cwd, 'inner'))).toEqual(['made']);
});

test('a folder that does not exist is told before anything starts', async () => {
  const { code, stderr } = await trotline(place(), ['run', 'x', '--cwd', 'nowhere', '--model', 'script:s.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('cli.no-folder');
});

test('without a terminal a question is a no that names --allow and policy, and nothing ran', async () => {
  const here = place({
    's.json': script(bash('touch made'), { text: 'Denied.', expect: [{ in: 'lastToolResult', contains: '--allow' }] }),
  });
  const { code, stderr } = await trotline(here, ['run', 'make it', '--model', 'script:s.json']);
  expect(code).toBe(0);
  expect(stderr).toContain('--allow');
  expect(stderr).toContain('policy');
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
});

test('--allow with a pattern lets those calls run and no others', async () => {
  const here = place({ 's.json': script(bash('touch one'), bash('mkdir two'), { text: 'Done.' }) });
  await trotline(here, ['run', 'x', '--model', 'script:s.json', '--allow', 'Bash:touch *']);
  expect(existsSync(join(here.cwd, 'one'))).toBe(true);
  expect(existsSync(join(here.cwd, 'two'))).toBe(false);
});

test('a hook of a trusted project denies, the model reads why, and the call does not run', async () => {
  const here = place({
    ...hook(
      `export const register = (on) => on('tool.call', { tool: 'Bash' }, () => ({ deny: 'not in this house' }));`,
    ),
    's.json': script(bash('touch made'), {
      text: 'Ok.',
      expect: [{ in: 'lastToolResult', contains: 'not in this house' }],
    }),
  });
  const { code, stderr } = await trotline(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*', '--trust']);
  expect(code).toBe(0);
  expect(stderr).toContain('not in this house');
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
});

test('an untrusted project is told, and its hooks do not run', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('tool.call', () => ({ deny: 'no' }));`),
    's.json': script(bash('touch made'), { text: 'Ok.' }),
  });
  const { stderr } = await trotline(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*']);
  expect(stderr).toMatch(/not trusted.*mine/);
  expect(existsSync(join(here.cwd, 'made'))).toBe(true);
});

test('an unmet script is exit 3 and shows what was sent', async () => {
  const here = place({ 's.json': script({ text: 'x', expect: [{ in: 'lastUser', contains: 'something else' }] }) });
  const { code, stderr } = await trotline(here, ['run', 'this', '--model', 'script:s.json']);
  expect(code).toBe(3);
  expect(stderr).toContain('agent.script-unmet');
});

test('a hook that aborts the turn ends it with 1, named with its reason', async () => {
  const here = place({
    ...hook(`import { AbortTurn } from '@trotline/engine';
      export const register = (on) => on('tool.call', () => { throw new AbortTurn('mine', 'enough for today'); });`),
    's.json': script(bash('touch made'), { text: 'never said' }),
  });
  const { code, stderr, stdout } = await trotline(here, [
    'run',
    'x',
    '--model',
    'script:s.json',
    '--allow',
    '*',
    '--trust',
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/mine.*enough for today/);
  expect(stdout).not.toContain('never said');
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
});

test('a rejection that a hook leaves lying about is told without a stack trace, and the turn goes on', async () => {
  const here = place({
    ...hook(
      `export const register = (on) => on('tool.call', ($, e, next) => { Promise.reject(new Error('left lying')); return next(e); });`,
    ),
    's.json': script(bash('touch made; sleep 0.2'), { text: 'Done.' }),
  });
  const args = ['run', 'x', '--model', 'script:s.json', '--allow', '*', '--config', 'trotline.json'];
  const { code, stdout, stderr } = await trotline(here, args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
  expect(stderr).toContain('left lying');
  expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
});

test('TROTLINE_DEBUG=1 adds a stack trace', async () => {
  const here = place();
  const args = ['run', 'x', '--model', 'script:none.json'];
  expect((await trotline(here, args)).stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
  expect((await trotline(here, args, { env: { TROTLINE_DEBUG: '1' } })).stderr).toMatch(/\n\s+at .*:\d+:\d+/);
});

test('no model is wrong use, with the demonstration offered', async () => {
  const { code, stderr } = await trotline(place(), ['run', 'x']);
  expect(code).toBe(2);
  expect(stderr).toContain('agent.no-model');
  expect(stderr).toContain('trotline demo');
});

test('no key is told by the name of its variable', async () => {
  const { code, stderr } = await trotline(place(), ['run', 'x', '--model', 'anthropic/claude-sonnet-4-5']);
  expect(code).toBe(2);
  expect(stderr).toContain('ANTHROPIC_API_KEY');
});

test('a configuration with a fault starts nothing and is exit 2', async () => {
  const here = place({ 'trotline.json': '{ "hooks": 1 }', 's.json': script(bash('touch made')) });
  const { code, stderr } = await trotline(here, [
    'run',
    'x',
    '--model',
    'script:s.json',
    '--config',
    'trotline.json',
    '--allow',
    '*',
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('trotline.json');
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
});

test('a hook that must block and cannot start is exit 2; with --keep-going what it guards is denied', async () => {
  const config =
    '{ "hooks": { "builtins": { "mine": { "enabled": true, "module": "./gone.mjs", "on_error": "deny" } } } }';
  const broken = 'throw new Error("broken at load");';
  const here = place({
    'trotline.json': config,
    'gone.mjs': broken,
    's.json': script(bash('touch made'), { text: 'Ok.' }),
  });
  const args = ['run', 'x', '--model', 'script:s.json', '--config', 'trotline.json', '--allow', '*'];
  expect((await trotline(here, args)).code).toBe(2);
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
  const kept = await trotline(here, [...args, '--keep-going']);
  expect(kept.code).toBe(0);
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
}, 30_000);

test('--no-hooks seats none, and that is in the log', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('tool.call', () => ({ deny: 'no' }));`),
    's.json': script(bash('touch made'), { text: 'Ok.' }),
  });
  await trotline(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*', '--trust', '--no-hooks']);
  expect(existsSync(join(here.cwd, 'made'))).toBe(true);
  const { stdout } = await trotline(here, ['log', '--json']);
  expect(stdout).toContain('no-hooks');
});

test('--json prints one object a line: session, text, notices, traces, result', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('tool.call', ($, e, next) => next(e));`),
    's.json': script({ text: 'Now.', ...bash('true') }, { text: 'Done.' }),
  });
  const args = [
    'run',
    'x',
    '--model',
    'script:s.json',
    '--allow',
    '*',
    '--json',
    '--trace',
    '--config',
    'trotline.json',
  ];
  const { code, stdout } = await trotline(here, args);
  const lines = jsonLines(stdout);
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({ type: 'session', cwd: here.cwd, model: expect.stringMatching(/^script:/) });
  expect(
    lines
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join(''),
  ).toBe('Now.Done.');
  expect(lines).toContainEqual(expect.objectContaining({ type: 'notice', name: 'tool.started' }));
  expect(lines).toContainEqual(expect.objectContaining({ type: 'trace', event: 'tool.call' }));
  expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed', text: 'Done.', iterations: 2 });
});

test('--json with a failing turn ends with a result that holds the error', async () => {
  const here = place({ 's.json': script() });
  const { code, stdout } = await trotline(here, ['run', 'x', '--model', 'script:s.json', '--json']);
  expect(code).toBe(3);
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    type: 'result',
    status: 'error',
    error: { code: 'agent.script-unmet' },
  });
});

test('--trace shows on stderr what a hook did, as it happened', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('tool.call', ($, e, next) => next({ ...e, command: 'touch other' }));`),
    's.json': script(bash('touch made'), { text: 'Ok.' }),
  });
  const { stderr } = await trotline(here, [
    'run',
    'x',
    '--model',
    'script:s.json',
    '--allow',
    '*',
    '--trust',
    '--trace',
  ]);
  expect(stderr).toMatch(/mine rewrote the call/);
  expect(existsSync(join(here.cwd, 'other'))).toBe(true);
});

test('what a model says cannot steer the terminal', async () => {
  const here = place({ 's.json': script({ text: 'a\u001b]52;c;ZXZpbA==\u0007b\u001b[2Jc' }) });
  const { stdout } = await trotline(here, ['run', 'x', '--model', 'script:s.json']);
  expect(stdout).toBe('abc\n');
});

test('--continue goes on with the conversation, and sessions show lists and shows it', async () => {
  const here = place({
    'one.json': script({ text: 'The word is heron.' }),
    'two.json': script({ text: 'Heron.', expect: [{ in: 'messages', contains: 'The word is heron.' }] }),
  });
  await trotline(here, ['run', 'tell me', '--model', 'script:one.json']);
  expect((await trotline(here, ['run', 'again', '--model', 'script:two.json', '--continue'])).code).toBe(0);
  const sessions = jsonLines((await trotline(here, ['sessions', 'list', '--json'])).stdout);
  expect(sessions).toHaveLength(1);
  const shown = await trotline(here, ['sessions', 'show', String(sessions[0]?.['id']).slice(0, 8)]);
  expect(shown.stdout).toContain('The word is heron.');
  const none = await trotline(here, ['sessions', 'show', 'zzz']);
  expect(none.code).toBe(2);
}, 30_000);

test('--continue without a session is wrong use', async () => {
  const here = place({ 's.json': script({ text: 'x' }) });
  const { code, stderr } = await trotline(here, ['run', 'x', '--model', 'script:s.json', '--continue']);
  expect(code).toBe(2);
  expect(stderr).toContain('cli.no-session');
});

test('the log names who decided, and can be narrowed', async () => {
  const here = place({
    's.json': script(bash('true'), { toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }, { text: 'Ok.' }),
  });
  await trotline(here, ['run', 'x', '--model', 'script:s.json']);
  const denied = jsonLines((await trotline(here, ['log', '--decision', 'deny', '--json'])).stdout);
  expect(denied).toMatchObject([{ tool: 'Bash', decision: 'deny' }]);
  expect((await trotline(here, ['log', '--tool', 'Glob'])).stdout).toMatch(/allow +Glob/);
}, 30_000);

test('SIGINT once lets the turn end gracefully: no further tool runs, exit 130', async () => {
  const here = place({
    's.json': script(
      {
        toolCalls: [
          { name: 'Bash', input: { command: 'echo > started; sleep 1' } },
          { name: 'Bash', input: { command: 'touch late' } },
        ],
      },
      { text: 'I stopped.' },
    ),
  });
  const running = start(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*'], { input: '' });
  await running.seen('echo > started');
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('I stopped.');
  expect(stderr).toContain('Ctrl-C again');
  expect(existsSync(join(here.cwd, 'late'))).toBe(false);
});

test('SIGINT twice ends at once, and the running command is gone', async () => {
  const here = place({ 's.json': script(bash('echo $$ > pid; exec sleep 300'), { text: 'never' }) });
  const running = start(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*'], { input: '' });
  const pid = await pidIn(here);
  running.child.kill('SIGINT');
  await running.seen('Ctrl-C again');
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect(() => process.kill(pid, 0)).toThrow();
});

test('SIGTERM ends it and what it started, with 143', async () => {
  const here = place({ 's.json': script(bash('echo $$ > pid; exec sleep 300'), { text: 'never' }) });
  const running = start(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*'], { input: '' });
  const pid = await pidIn(here);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(143);
  expect(() => process.kill(pid, 0)).toThrow();
});

test('a reader that goes away ends the turn and what it started, quietly', async () => {
  const here = place({
    's.json': script({ text: 'One.', ...bash('echo $$ > pid; exec sleep 300') }, { text: 'Two.' }),
  });
  const running = start(here, ['run', 'x', '--model', 'script:s.json', '--allow', '*', '--json'], { input: '' });
  const pid = await pidIn(here);
  running.child.stdout?.destroy();
  // Only a write finds out that nobody reads.
  running.child.kill('SIGINT');
  const { stderr } = await running.ended;
  expect(stderr).toBe('');
  expect(() => process.kill(pid, 0)).toThrow();
});

test('chat from a pipe takes each line as a turn, in order, and knows slash commands', async () => {
  const here = place({
    's.json': script(
      { text: 'First.', expect: [{ in: 'lastUser', contains: 'one' }] },
      {
        text: 'Second.',
        expect: [
          { in: 'lastUser', contains: 'two' },
          { in: 'messages', contains: 'First.' },
        ],
      },
    ),
  });
  const { code, stdout } = await trotline(here, ['chat', '--model', 'script:s.json'], {
    input: 'one\n/hooks\ntwo\n/quit\nthree\n',
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'First.\nNo hook stands on the line.\nSecond.\n' });
});

test('a turn that fails in a chat is told, the chat goes on, and its status is the first failure', async () => {
  const here = place({
    's.json': script({ text: 'x', expect: [{ in: 'lastUser', contains: 'never' }] }, { text: 'Still here.' }),
  });
  const { code, stdout, stderr } = await trotline(here, ['chat', '--model', 'script:s.json'], { input: 'one\ntwo\n' });
  expect(stderr).toContain('agent.script-unmet');
  expect(stdout).toContain('Still here.');
  expect(code).toBe(3);
});

test('a hard abort ends a chat: what was typed after it is not asked', async () => {
  const here = place({
    ...hook(`import { HardAbort } from '@trotline/engine';
      export const register = (on) => on('tool.call', () => { throw new HardAbort('mine', 'everything stops'); });`),
    's.json': script(bash('true'), { text: 'never said' }),
  });
  const args = ['chat', '--model', 'script:s.json', '--allow', '*', '--trust'];
  const { code, stdout, stderr } = await trotline(here, args, { input: 'one\ntwo\n' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/mine.*everything stops/);
  expect(stdout).not.toContain('never said');
});

test('a chat from a pipe shows and waits for a turn that a hook goes on with', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('turn.complete', async ($, e, next) => {
      const out = await next(e);
      if (e.answer === 'First.') await $.prompt.submit({ text: 'and now the second' });
      return out;
    });`),
    's.json': script(
      { text: 'First.' },
      { text: 'Second.', expect: [{ in: 'lastUser', contains: 'and now the second' }] },
    ),
  });
  const { code, stdout, stderr } = await trotline(here, ['chat', '--model', 'script:s.json', '--trust'], {
    input: 'begin\n',
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'First.\nSecond.\n' });
  expect(stderr).toContain('mine goes on');
});
