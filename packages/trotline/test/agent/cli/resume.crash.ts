import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, jsonLines, type Place, script, start, trotline } from '../../cli/harness.ts';
import { place } from './places.ts';

beforeAll(ensureBuilt, 120_000);

const bash = (command: string): object => ({ name: 'Bash', input: { command } });
const began = { toolCalls: [bash('echo ran >> count; echo $$ > pid; exec sleep 300'), bash('touch second')] };

/** A session whose process was killed while its first call ran and before its second. */
async function killedInTheMiddle(here: Place): Promise<void> {
  here.write('first.json', script({ text: 'Two things.', ...began }, { text: 'never said' }));
  const running = start(here, ['run', 'go', '--model', 'script:first.json', '--allow', 'Bash'], { input: '' });
  const file = join(here.cwd, 'pid');
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await new Promise((r) => setTimeout(r, 20));
  running.child.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
  const pid = Number(readFileSync(file, 'utf8'));
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with the process that started it.
  }
}

const runs = (here: Place): string => readFileSync(join(here.cwd, 'count'), 'utf8');

test('after kill -9 in the middle of a call, --resume never runs it again, and says so to the model and the person', async () => {
  const here = place();
  await killedInTheMiddle(here);
  const expectations = [
    { in: 'messages', contains: 'not run again (unknown)' },
    { in: 'messages', absent: 'never said' },
  ];
  here.write('next.json', script({ text: 'Going on.', expect: expectations }));
  const args = ['run', '--resume', '--model', 'script:next.json', '--allow', 'Bash'];
  const { code, stdout, stderr } = await trotline(here, args);
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Going on.\n' });
  expect(runs(here)).toBe('ran\n');
  expect(stderr).toMatch(/Bash.*\n.*unknown.*echo ran >> count/);
  // What had not begun is run now: it has passed the line for the first time.
  expect(existsSync(join(here.cwd, 'second'))).toBe(true);
  const known = jsonLines((await trotline(here, ['log', '--json'])).stdout);
  expect(known.map(({ state }) => state)).toEqual(['unknown', 'done']);
}, 60_000);

test('a call that had not begun is asked about again: what was allowed then is not allowed now', async () => {
  const here = place();
  await killedInTheMiddle(here);
  here.write('next.json', script({ text: 'No.', expect: [{ in: 'lastToolResult', contains: '--allow' }] }));
  const { code, stderr } = await trotline(here, ['run', '--resume', '--model', 'script:next.json']);
  expect(code, stderr).toBe(0);
  expect(runs(here)).toBe('ran\n');
  expect(existsSync(join(here.cwd, 'second'))).toBe(false);
}, 60_000);

test('a new task in such a session runs neither call, and both are told', async () => {
  const here = place();
  await killedInTheMiddle(here);
  const expectations = [
    { in: 'messages', contains: 'not run again (unknown)' },
    { in: 'messages', contains: 'a new prompt came' },
    { in: 'lastUser', contains: 'something else' },
  ];
  here.write('next.json', script({ text: 'Fine.', expect: expectations }));
  const args = ['run', 'something else', '--resume', '--model', 'script:next.json', '--allow', 'Bash'];
  const { code, stderr } = await trotline(here, args);
  expect(code, stderr).toBe(0);
  expect(runs(here)).toBe('ran\n');
  expect(existsSync(join(here.cwd, 'second'))).toBe(false);
  expect(stderr).toContain('unknown');
  expect(stderr).toContain('touch second');
}, 60_000);

const submits = (when: string): string => `let left = 1;
  export const register = (on) => on('turn.complete', async ($, e, next) => {
    const result = await next(e);
    if (left-- > 0) await $.prompt.submit({ text: ${JSON.stringify(when)} });
    return result;
  });`;
const config = '{ "hooks": { "builtins": { "nudge": { "enabled": true, "module": "./nudge.mjs" } } } }';

test('a turn that a hook submits is run to its end, shown, and counts for the exit status', async () => {
  const here = place({
    'trotline.json': config,
    'nudge.mjs': submits('and now the second'),
    's.json': script(
      { text: 'One.' },
      { toolCalls: [bash('touch made')], expect: [{ in: 'lastUser', contains: 'and now the second' }] },
      { text: 'Two.' },
    ),
    'short.json': script({ text: 'One.' }),
  });
  const args = ['run', 'go', '--config', 'trotline.json', '--allow', 'Bash', '--model'];
  const { code, stdout, stderr } = await trotline(here, [...args, 'script:s.json']);
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'One.\nTwo.\n' });
  expect(stderr).toMatch(/nudge.*and now the second/);
  expect(existsSync(join(here.cwd, 'made'))).toBe(true);
  const failed = await trotline(here, [...args, 'script:short.json', '--json']);
  expect(failed.code).toBe(3);
  expect(jsonLines(failed.stdout).filter(({ type }) => type === 'prompt' || type === 'result')).toMatchObject([
    { type: 'result', status: 'completed', text: 'One.' },
    { type: 'prompt', by: 'nudge', text: 'and now the second' },
    { type: 'result', status: 'error', error: { code: 'agent.script-unmet' } },
  ]);
}, 60_000);

test('whoever interrupts ends what hooks would go on with', async () => {
  const here = place({
    'trotline.json': config,
    'nudge.mjs': submits('go on for ever').replace('left-- > 0', 'true'),
    's.json': script(
      { toolCalls: [bash('echo $$ > pid; exec sleep 300')] },
      ...Array.from({ length: 50 }, () => ({ text: 'Again.' })),
    ),
  });
  const args = ['run', 'go', '--config', 'trotline.json', '--allow', 'Bash', '--model', 'script:s.json'];
  const running = start(here, args, { input: '' });
  const file = join(here.cwd, 'pid');
  while (!existsSync(file)) await new Promise((r) => setTimeout(r, 20));
  running.child.kill('SIGTERM');
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 143, stdout: '' });
}, 60_000);
