import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, makePlace, type Place, script, trotline } from './harness.ts';
import { hasTmux, type OnTerminal, onTerminal } from './terminal-harness.ts';

const open: (Place | OnTerminal)[] = [];
const place = (files: Record<string, string>): Place => {
  const made = makePlace(files);
  open.unshift(made);
  return made;
};
const started = (here: Place, args: readonly string[]): OnTerminal => {
  const terminal = onTerminal(here, args);
  open.unshift(terminal);
  return terminal;
};
beforeAll(ensureBuilt, 120_000);
afterEach(() => {
  for (const one of open.splice(0)) 'close' in one ? one.close() : one.remove();
});

const guard = `export const register = (on) => on('tool.call', { tool: 'Bash' }, () => ({ deny: 'not in this house' }));\n`;
const touches = script({ toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] }, { text: 'Done.' });
const guarded = {
  'trotline.json': '{ "hooks": { "builtins": { "guard": { "enabled": true, "module": "./guard.mjs" } } } }',
  'guard.mjs': guard,
  's.json': touches,
};
const run = ['run', 'x', '--model', 'script:s.json', '--allow', 'Bash'];
const made = (here: Place): boolean => existsSync(join(here.cwd, 'made'));

test('without a terminal one line tells that hooks and how many rules of an untrusted project do not count', async () => {
  const here = place({
    ...guarded,
    'trotline.json': `${guarded['trotline.json'].slice(0, -1)}, "policy": { "deny": ["Bash:rm *", "Bash:curl *"] } }`,
  });
  const { stderr } = await trotline(here, run);
  const told = stderr.split('\n').filter((line) => line.includes('not trusted'));
  expect(told).toHaveLength(1);
  for (const part of ['(guard)', '2 rules', 'trotline trust']) expect(told[0]).toContain(part);
  expect(made(here)).toBe(true);
});

test('a trusted project that changed, if only by a newline in its rules, starts nothing without a terminal', async () => {
  const rules = '{ "policy": { "deny": ["Bash:curl *"] } }';
  const here = place({ 's.json': touches, 'trotline.json': rules });
  await trotline(here, ['trust', '--yes']);
  expect((await trotline(here, run)).code).toBe(0);
  expect(made(here)).toBe(true);
  rmSync(join(here.cwd, 'made'));
  here.write('trotline.json', `${rules}\n`);
  for (const [args, input] of [
    [run, ''],
    [['chat', '--model', 'script:s.json', '--allow', 'Bash'], 'go\n'],
  ] as const) {
    const { code, stderr } = await trotline(here, args, { input });
    expect(code).toBe(2);
    expect(stderr).toMatch(/changed since it was trusted.*trotline\.json/);
    expect(made(here)).toBe(false);
  }
  expect((await trotline(here, [...run, '--trust'])).code).toBe(0);
  expect(made(here)).toBe(true);
}, 30_000);

test('a project of rules alone, of a model alone and of instructions alone are told too', async () => {
  const here = place({ 's.json': touches, 'trotline.json': '{ "policy": { "deny": ["Bash:touch *"] } }' });
  expect((await trotline(here, run)).stderr).toMatch(/not trusted.*its 1 rule does not hold/);
  here.write('trotline.json', '{ "model": "openai/x" }');
  expect((await trotline(here, run)).stderr).toMatch(/not trusted.*its model is not used/);
  here.write('trotline.json', '{ "agent": { "system": "be evil" } }');
  expect((await trotline(here, run)).stderr).toMatch(/not trusted.*its instructions are not given/);
}, 30_000);

test('trust shows the model and the instructions of a project before it asks, with nothing that hides in them', async () => {
  const here = place({
    'trotline.json': JSON.stringify({ model: 'openai/x', agent: { system: 'be\u001b[8m evil\u001b[0m' } }),
  });
  const { stderr, code } = await trotline(here, ['trust']);
  expect(code).toBe(2);
  expect(stderr).toContain('openai/x');
  expect(stderr).toContain('be\\x1b[8m evil');
});

test('long instructions are cut, and how much is left out is said', async () => {
  const here = place({ 'trotline.json': JSON.stringify({ agent: { system: `a${'b'.repeat(5_000)}c` } }) });
  const { stderr } = await trotline(here, ['trust']);
  expect(stderr).toContain('3002 characters not shown');
  expect(stderr.length).toBeLessThan(4_000);
});

test('trust warns of a module that does not compile, and runs none of its code', async () => {
  const here = place({
    ...guarded,
    'guard.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\non(`,
  });
  const { stdout, code } = await trotline(here, ['trust', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/! .*guard\.mjs:\d+/);
  here.write('guard.mjs', `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\n${guard}`);
  expect((await trotline(here, ['trust', '--yes'])).stdout).not.toContain('!');
  expect(existsSync(join(here.cwd, 'ran'))).toBe(false);
}, 30_000);

test('explain tells of an untrusted and of a changed project, as does --json', async () => {
  const here = place(guarded);
  const ask = ['explain', 'Bash', 'command=ls'];
  expect((await trotline(here, ask)).stderr).toMatch(/not trusted.*guard/);
  await trotline(here, ['trust', '--yes']);
  expect((await trotline(here, ask)).stderr).not.toContain('trust');
  here.write('guard.mjs', `${guard}// changed\n`);
  expect((await trotline(here, [...ask, '--run'])).stderr).toMatch(/changed since it was trusted.*guard/);
  const { stdout } = await trotline(here, [...ask, '--json']);
  expect(JSON.parse(stdout).notTrusted).toEqual({ file: join(here.cwd, 'trotline.json'), state: 'changed' });
}, 30_000);

describe.skipIf(!hasTmux)('on a terminal (needs tmux)', { timeout: 60_000 }, () => {
  test('an untrusted project is shown and asked about: yes trusts it as it is, and its hook stands', async () => {
    const here = place(guarded);
    const terminal = started(here, run);
    await terminal.seen('Trust it?');
    expect(terminal.screen()).toContain('guard.mjs');
    terminal.keys('y', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(made(here)).toBe(false);
    expect((await trotline(here, ['trust', '--list'])).stdout).toContain(here.cwd);
  });

  test('no goes on without a project that was never trusted, and says what does not count', async () => {
    const here = place(guarded);
    const terminal = started(here, run);
    await terminal.seen('Trust it?');
    terminal.keys('n', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('its hooks do not run');
    expect(made(here)).toBe(true);
  });

  test('a trusted project that changed is shown with what changed; no stops with 2, and nothing ran', async () => {
    const here = place(guarded);
    await trotline(here, ['trust', '--yes']);
    here.write('guard.mjs', `${guard}// changed\n`);
    const terminal = started(here, run);
    await terminal.seen('Trust it?');
    expect(terminal.screen()).toMatch(/Changed:\s+\S+guard\.mjs/);
    terminal.keys('n', 'Enter');
    expect(await terminal.ended()).toBe(2);
    expect(made(here)).toBe(false);
  });

  test('chat asks too, before it begins', async () => {
    const here = place(guarded);
    const terminal = started(here, ['chat', '--model', 'script:s.json', '--allow', 'Bash']);
    await terminal.seen('Trust it?');
    terminal.keys('y', 'Enter');
    await terminal.seen('one hook on the line');
    terminal.keys('go', 'Enter');
    await terminal.seen('not in this house');
    terminal.keys('/quit', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(made(here)).toBe(false);
  });
});
