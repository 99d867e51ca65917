import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, jsonLines, makePlace, type Place, script, trotline } from './harness.ts';

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
const hook = (text: string) => ({
  'trotline.json': '{ "hooks": { "builtins": { "mine": { "enabled": true, "module": "./mine.mjs" } } } }',
  'mine.mjs': text,
});
const run = ['run', 'x', '--model', 'script:s.json', '--allow', 'Bash'];

test('a misspelt event and session are wrong use, with the name that was meant; a misspelt tool is named', async () => {
  const here = place();
  for (const args of [
    ['hooks', 'tool.cal'],
    ['explain', 'tool.cal', 'a=1'],
    ['log', '--session', 'zzz'],
  ]) {
    expect((await trotline(here, args)).code).toBe(2);
  }
  expect((await trotline(here, ['hooks', 'tool.cal'])).stderr).toContain('did you mean tool.call?');
  expect((await trotline(here, ['log', '--tool', 'Bsh'])).stdout).toContain('did you mean Bash?');
}, 30_000);

test('explain says that hooks were not asked, and how to ask them; asked, what they refuse is what it says last', async () => {
  const here = place(hook(`export const register = (on) => on('tool.call', () => ({ deny: 'not here' }));`));
  const ask = ['explain', 'Bash', 'command=ls', '--config', 'trotline.json'];
  expect((await trotline(here, ask)).stdout).toMatch(/not asked.*--run/);
  const asked = (await trotline(here, [...ask, '--run'])).stdout;
  expect(asked.trimEnd().split('\n').at(-1)).toContain('it would be denied: not here');
  expect(asked).not.toContain('rules say');
}, 30_000);

test('explain says what is wrong with a call that its tool does not take', async () => {
  const here = place();
  expect((await trotline(here, ['explain', 'Bsh', 'command=ls'])).stderr).toContain('did you mean Bash?');
  expect((await trotline(here, ['explain', 'Bash'])).stderr).toContain('command is missing');
  expect((await trotline(here, ['explain', 'Bash', 'command=ls', 'timout=5'])).stderr).toContain(
    'did you mean timeout?',
  );
  expect((await trotline(here, ['explain', 'Bash', 'command=5'])).stderr).toContain('command is a number');
  expect((await trotline(here, ['explain', 'mcp__x__y', 'a=1'])).stderr).toBe('');
}, 30_000);

test('--cwd is where one stands for commands that show, and where tools work for run', async () => {
  const here = place({ 's.json': script(bash('touch made'), { text: 'Done.' }) });
  mkdirSync(join(here.cwd, 'sub'));
  here.write('sub/trotline.json', '{ "policy": { "deny": ["Bash:touch *"] } }');
  await trotline(here, ['trust', 'sub', '--yes']);
  const explained = await trotline(here, ['explain', 'Bash', 'command=touch x', '--cwd', 'sub', '--json']);
  expect(JSON.parse(explained.stdout).rules.rules).toMatchObject({ decision: 'deny' });
  const { stderr } = await trotline(here, [...run, '--cwd', 'sub']);
  expect(stderr).toMatch(/sub\/trotline\.json is not used.*--config/);
  expect(existsSync(join(here.cwd, 'sub/made'))).toBe(true);
  const with_ = await trotline(here, [...run, '--cwd', 'sub', '--config', 'sub/trotline.json']);
  expect(with_.stderr).not.toContain('is not used');
}, 30_000);

test('a failed tool shows why, a result its first lines, and a trace all of it', async () => {
  const here = place({
    's.json': script(
      { toolCalls: [{ name: 'Read', input: { file_path: 'nowhere.txt' } }] },
      bash('seq 1 9; exit 3'),
      bash('seq 11 30'),
      { text: 'Done.' },
    ),
  });
  const { stderr, stdout } = await trotline(here, run);
  expect(stdout).toBe('Done.\n');
  expect(stderr).toContain('does not exist');
  expect(stderr).toContain('Exit code 3');
  expect(stderr).toMatch(/ {2}11\n {2}12\n {2}… 18 more lines/);
  expect((await trotline(here, [...run, '--trace'])).stderr).toMatch(/ {2}29\n {2}30\n/);
}, 30_000);

test('a call whose arguments its tool does not take is shown by what it was', async () => {
  const here = place({
    's.json': script({ toolCalls: [{ name: 'Bash', input: { comand: 'ls' } }] }, { text: 'Done.' }),
  });
  expect((await trotline(here, run)).stderr).toMatch(/Bash \{"comand":"ls"\}\n {2}failed\n/);
});

test('a hook that throws is told once with its event, its words and its place, and how often it happened again', async () => {
  const here = place({
    ...hook(`export const register = (on) => {\n  on('tool.call', () => { throw new Error('boom'); });\n};`),
    's.json': script(bash('true'), bash('true'), bash('true'), { text: 'Done.' }),
  });
  const { stderr, code } = await trotline(here, [...run, '--config', 'trotline.json']);
  expect(code).toBe(0);
  expect(stderr.match(/boom/g)).toHaveLength(1);
  expect(stderr).toMatch(/! mine: tool\.call hook skipped: threw Error: boom \(mine\.mjs:2:\d+\)/);
  expect(stderr).toContain('mine failed 2 times more at tool.call');
});

test('a hook on a misspelt event is exit 2 of check, named with its place and the event that was meant', async () => {
  const here = place(hook(`export const register = (on) => on('tool.cal', ($, e, next) => next(e));`));
  const { code, stderr } = await trotline(here, ['check', '--config', 'trotline.json']);
  expect(code).toBe(2);
  for (const part of ['trotline.json:1:', 'mine', 'Did you mean tool.call?']) expect(stderr).toContain(part);
});

test('--no-hooks says so, and --allow of no known tool is warned of', async () => {
  const here = place({ 's.json': script({ text: 'Done.' }) });
  const { stderr } = await trotline(here, [...run, '--no-hooks', '--allow', 'Bsh', '--allow', 'mcp__a__b']);
  expect(stderr).toContain('no hook of any file is on the line');
  expect(stderr).toMatch(/--allow Bsh: .*did you mean Bash\?/);
  expect(stderr).not.toContain('mcp__a__b');
});

test('--allow in the spelling of Claude Code is wrong use, with the right one', async () => {
  const here = place({ 's.json': script({ text: 'Done.' }) });
  const { code, stderr } = await trotline(here, ['run', 'x', '--model', 'script:s.json', '--allow', 'Bash(echo:*)']);
  expect(code).toBe(2);
  expect(stderr).toContain('Bash:echo *');
});

test('the log names session and folder where it is of several, and can be narrowed to a folder', async () => {
  const here = place({ 's.json': script(bash('true'), { text: 'Ok.' }) });
  mkdirSync(join(here.cwd, 'other'));
  await trotline(here, run);
  expect((await trotline(here, ['log'])).stdout).not.toContain('folder');
  await trotline(here, [...run, '--cwd', 'other']);
  const all = (await trotline(here, ['log'])).stdout;
  for (const part of ['session', 'folder', join(here.cwd, 'other')]) expect(all).toContain(part);
  const narrowed = jsonLines((await trotline(here, ['log', '--cwd', 'other', '--json'])).stdout);
  expect(narrowed).toHaveLength(1);
}, 30_000);

test('hooks and log fit a narrow screen', async () => {
  const here = place({
    ...hook(`export const register = (on) => on('tool.call', ($, e, next) => next(e));`),
    's.json': script(bash(`echo ${'x'.repeat(200)}`), { text: 'Ok.' }),
  });
  await trotline(here, run);
  for (const args of [['hooks', '--config', 'trotline.json'], ['log']]) {
    const { stdout } = await trotline(here, args, { env: { COLUMNS: '60' } });
    const table = stdout.split('\n').filter((line) => line.startsWith('  ') || /^\d{4}-/.test(line));
    expect(table.length).toBeGreaterThan(0);
    for (const line of table) expect(line.length).toBeLessThanOrEqual(60);
  }
}, 30_000);
