import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type Ended, ensureBuilt, type Place, script, start, trotline } from '../../cli/harness.ts';
import { place } from './places.ts';

beforeAll(ensureBuilt, 120_000);

const server = fileURLToPath(new URL('../support/notes-server.mjs', import.meta.url));
const command = [process.execPath, server];
const config = (mcp_servers: object, more: object = {}): string => JSON.stringify({ agent: { mcp_servers }, ...more });
const note = { name: 'mcp__notes__write', input: { name: 'note.txt', text: 'remember' } };
const denied = (...contains: string[]): object[] => contains.map((text) => ({ in: 'lastToolResult', contains: text }));

/** One call of the server's `write`, and what the model is to read of it. */
const writing = (expect: object[]): string => script({ toolCalls: [note] }, { text: 'Done.', expect });

const run = (here: Place, ...args: string[]): Promise<Ended> =>
  trotline(here, ['run', 'write it down', '--model', 'script:s.json', '--config', 'trotline.json', ...args]);

test('without a terminal a server’s tool is a question, which is a no that names --allow', async () => {
  const here = place({ 'trotline.json': config({ notes: { command } }), 's.json': writing(denied('--allow')) });
  const { code, stderr } = await run(here);
  expect(code, stderr).toBe(0);
  expect(existsSync(join(here.cwd, 'note.txt'))).toBe(false);
});

test('--allow with the server’s name and * lets its tools run, and its process ends with the run', async () => {
  const here = place({ 'trotline.json': config({ notes: { command } }), 's.json': writing(denied('wrote note.txt')) });
  const { code, stderr } = await run(here, '--allow', 'mcp__notes__*');
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(here.cwd, 'note.txt'), 'utf8')).toBe('remember');
  const [pid] = readFileSync(join(here.cwd, 'server-pids'), 'utf8').split('\n');
  expect(() => process.kill(Number(pid), 0)).toThrow();
});

test('leave for one server is none for another, and a rule’s deny is final', async () => {
  const files = { 'trotline.json': config({ notes: { command } }), 's.json': writing(denied('--allow')) };
  const other = place(files);
  expect((await run(other, '--allow', 'mcp__note__*', '--allow', 'Bash')).code).toBe(0);
  expect(existsSync(join(other.cwd, 'note.txt'))).toBe(false);
  const ruled = place({
    'trotline.json': config({ notes: { command } }, { policy: { deny: ['mcp__notes__write'] } }),
    's.json': writing([]),
  });
  await run(ruled, '--allow', '*');
  expect(existsSync(join(ruled.cwd, 'note.txt'))).toBe(false);
});

test('a hook sees the call of a server’s tool, and stops it', async () => {
  const hooks = { builtins: { gate: { enabled: true, module: './gate.mjs' } } };
  const here = place({
    'trotline.json': config({ notes: { command } }, { hooks }),
    'gate.mjs': `export const register = (on) =>
      on('tool.call', { tool: 'mcp__notes__write' }, ($, e, next) => e.text === 'remember' ? { deny: 'forget it' } : next(e));`,
    's.json': writing(denied('forget it')),
  });
  const { code, stderr } = await run(here, '--allow', '*');
  expect(code, stderr).toBe(0);
  expect(existsSync(join(here.cwd, 'note.txt'))).toBe(false);
});

test('a server gets the variables that are named for it, and no key of the surroundings', async () => {
  const here = place({
    'trotline.json': config({ notes: { command, env: { NOTES_DIR: 'x' } } }),
    's.json': script(
      { toolCalls: [{ name: 'mcp__notes__environment', input: {} }] },
      {
        text: 'Done.',
        expect: [
          { in: 'lastToolResult', contains: 'NOTES_DIR' },
          { in: 'lastToolResult', contains: 'PATH' },
          { in: 'lastToolResult', absent: 'SECRET' },
        ],
      },
    ),
  });
  const args = ['run', 'x', '--model', 'script:s.json', '--config', 'trotline.json', '--allow', '*'];
  const { code, stderr } = await trotline(here, args, { env: { MY_SECRET: 's3cret' } });
  expect(code, stderr).toBe(0);
});

test('an untrusted project starts no server, and says so; trusted, it does', async () => {
  const here = place({
    'trotline.json': config({ notes: { command } }),
    's.json': script({ text: 'Hello.', expect: [{ in: 'tools', absent: 'mcp__' }] }),
    't.json': script({ text: 'Hello.', expect: [{ in: 'tools', contains: 'mcp__notes__write' }] }),
  });
  const untrusted = await trotline(here, ['run', 'x', '--model', 'script:s.json']);
  expect(untrusted.code, untrusted.stderr).toBe(0);
  expect(untrusted.stderr).toMatch(/not trusted|never trusted/);
  expect(existsSync(join(here.cwd, 'server-pids'))).toBe(false);
  const trusted = await trotline(here, ['run', 'x', '--model', 'script:t.json', '--trust']);
  expect(trusted.code, trusted.stderr).toBe(0);
}, 40_000);

test('a server that is switched off is not started', async () => {
  const here = place({
    'trotline.json': config({ notes: { command, enabled: false } }),
    's.json': script({ text: 'Hello.', expect: [{ in: 'tools', absent: 'mcp__' }] }),
  });
  expect((await run(here)).code).toBe(0);
  expect(existsSync(join(here.cwd, 'server-pids'))).toBe(false);
});

test('a server that does not start is named with its key, and the work goes on without it', async () => {
  const here = place({
    'trotline.json': config({ gone: { command: ['./no-such-program'] }, notes: { command } }),
    's.json': writing(denied('wrote')),
  });
  const { code, stderr } = await run(here, '--allow', 'mcp__notes__*');
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('no-such-program');
  expect(stderr).toContain('agent.mcp_servers.gone');
  expect(existsSync(join(here.cwd, 'note.txt'))).toBe(true);
});

test('a server ends with a run that is ended by kill -9', async () => {
  const here = place({
    'trotline.json': config({ notes: { command } }),
    's.json': script({ toolCalls: [{ name: 'Bash', input: { command: 'touch ready; exec sleep 300' } }] }),
  });
  const args = ['run', 'x', '--model', 'script:s.json', '--config', 'trotline.json', '--allow', 'Bash'];
  const running = start(here, args, { input: '' });
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(() => existsSync(join(here.cwd, 'ready')));
  const pid = Number(readFileSync(join(here.cwd, 'server-pids'), 'utf8'));
  running.child.kill('SIGKILL');
  await running.ended;
  await until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
}, 60_000);
