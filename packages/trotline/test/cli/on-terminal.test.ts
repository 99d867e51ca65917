import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, makePlace, type Place, script } from './harness.ts';
import { hasTmux, type OnTerminal, onTerminal } from './terminal-harness.ts';

const open: (Place | OnTerminal)[] = [];
const place = (files: Record<string, string>): Place => {
  const made = makePlace(files);
  open.unshift(made);
  return made;
};
const started = (here: Place, args: readonly string[], env?: Record<string, string>): OnTerminal => {
  const terminal = onTerminal(here, args, env);
  open.unshift(terminal);
  return terminal;
};
beforeAll(ensureBuilt, 120_000);
afterEach(() => {
  for (const one of open.splice(0)) 'close' in one ? one.close() : one.remove();
});

const bash = (command: string) => ({ toolCalls: [{ name: 'Bash', input: { command } }] });
const question = 'Allow?';
const run = ['run', 'x', '--model', 'script:s.json'];

describe.skipIf(!hasTmux)('on a terminal (needs tmux)', () => {
  test('yes lets the call run that was shown', async () => {
    const here = place({ 's.json': script(bash('touch made'), { text: 'Done.' }) });
    const terminal = started(here, run);
    await terminal.seen(question);
    expect(terminal.screen()).toContain('touch made');
    expect(existsSync(join(here.cwd, 'made'))).toBe(false);
    terminal.keys('y', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(join(here.cwd, 'made'))).toBe(true);
  });

  test('a reason in place of yes is a no that the model reads', async () => {
    const expectation = { in: 'lastToolResult', contains: 'ask me tomorrow' };
    const here = place({ 's.json': script(bash('touch made'), { text: 'Fine.', expect: [expectation] }) });
    const terminal = started(here, run);
    await terminal.seen(question);
    terminal.keys('ask me tomorrow', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(join(here.cwd, 'made'))).toBe(false);
  });

  test('Ctrl-C at a question means no, and the turn goes on', async () => {
    const here = place({ 's.json': script(bash('touch made'), { text: 'Understood.' }) });
    const terminal = started(here, run);
    await terminal.seen(question);
    terminal.keys('C-c');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('Understood.');
    expect(existsSync(join(here.cwd, 'made'))).toBe(false);
  });

  test('what was typed before the question was shown does not answer it', async () => {
    const here = place({ 's.json': script(bash('sleep 2'), bash('touch made'), { text: 'Done.' }) });
    const terminal = started(here, [...run, '--allow', 'Bash:sleep *']);
    await terminal.seen('sleep 2');
    terminal.keys('y', 'Enter');
    await terminal.seen(question);
    expect(existsSync(join(here.cwd, 'made'))).toBe(false);
    terminal.keys('n', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(join(here.cwd, 'made'))).toBe(false);
  });

  test('what hides in a call is shown', async () => {
    const here = place({ 's.json': script(bash('ls \u001b[8m; touch made\u001b[0m'), { text: 'Done.' }) });
    const terminal = started(here, run);
    await terminal.seen(question);
    expect(terminal.screen()).toContain('\\x1b[8m; touch made');
    terminal.keys('n', 'Enter');
    await terminal.ended();
  });

  test('a yes for the session is not asked again in a chat', async () => {
    const here = place({
      's.json': script(bash('echo x >> made'), { text: 'One.' }, bash('echo x >> made'), { text: 'Two.' }),
    });
    const terminal = started(here, ['chat', '--model', 'script:s.json']);
    await terminal.seen('/help');
    terminal.keys('first', 'Enter');
    await terminal.seen(question);
    terminal.keys('s', 'Enter');
    await terminal.seen('One.');
    terminal.keys('second', 'Enter');
    await terminal.seen('Two.');
    expect(terminal.screen().split(question)).toHaveLength(2);
    terminal.keys('/quit', 'Enter');
    expect(await terminal.ended()).toBe(0);
  });

  test('what is typed in a chat while it works steers it', async () => {
    const steered = { text: 'Turned left.', expect: [{ in: 'lastUser', contains: 'turn left' }] };
    const here = place({ 's.json': script(bash('sleep 2'), steered) });
    const terminal = started(here, ['chat', '--model', 'script:s.json', '--allow', '*']);
    await terminal.seen('/help');
    terminal.keys('go', 'Enter');
    await terminal.seen('sleep 2');
    terminal.keys('turn left', 'Enter');
    await terminal.seen('Turned left.');
    terminal.keys('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  test('Ctrl-C interrupts a turn of a chat, and the chat goes on; twice at the prompt ends it with 130', async () => {
    const here = place({ 's.json': script(bash('sleep 300'), { text: 'Here again.' }) });
    const terminal = started(here, ['chat', '--model', 'script:s.json', '--allow', '*']);
    await terminal.seen('/help');
    terminal.keys('go', 'Enter');
    await terminal.seen('sleep 300');
    terminal.keys('C-c');
    await terminal.seen('Ctrl-C again');
    terminal.keys('C-c');
    await terminal.seen('Ending it');
    terminal.keys('hello', 'Enter');
    await terminal.seen('Here again.');
    terminal.keys('C-c');
    await terminal.seen('ends the conversation');
    terminal.keys('C-c');
    expect(await terminal.ended()).toBe(130);
  });

  test('slash commands answer in the chat, and an unknown one is not sent to the model', async () => {
    const here = place({ 's.json': script({ text: 'An aside.' }) });
    const terminal = started(here, ['chat', '--model', 'script:s.json']);
    await terminal.seen('/help');
    terminal.keys('/help', 'Enter');
    await terminal.seen('/compact');
    terminal.keys('/nonsense', 'Enter');
    await terminal.seen('There is no /nonsense');
    terminal.keys('/btw what is this?', 'Enter');
    await terminal.seen('An aside.');
    terminal.keys('/quit', 'Enter');
    expect(await terminal.ended()).toBe(0);
  });

  test('init asks for the language', async () => {
    const here = place({});
    const terminal = started(here, ['init']);
    await terminal.seen('Which language');
    terminal.keys('Down');
    terminal.keys('Down');
    terminal.keys('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(join(here.cwd, 'hooks/first-hook.sh'))).toBe(true);
  });

  test('a person without a key is offered the demonstration, and their no in it keeps the file from being written', async () => {
    const terminal = started(place({}), ['run', 'x', '--model', 'anthropic/claude-sonnet-4-5']);
    await terminal.seen('See the demonstration instead?');
    expect(terminal.screen()).toContain('ANTHROPIC_API_KEY');
    terminal.keys('y', 'Enter');
    await terminal.seen(question);
    terminal.keys('n', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('✔ summary.md was not written: nobody said yes to it');
  });

  test('trust shows what would run, and only a yes trusts it', async () => {
    const here = place({
      'trotline.json': '{ "hooks": { "builtins": { "mine": { "enabled": true, "module": "./mine.mjs" } } } }',
      'mine.mjs': 'export const register = () => {};',
    });
    const terminal = started(here, ['trust']);
    await terminal.seen('Trust it?');
    expect(terminal.screen()).toContain('mine.mjs');
    terminal.keys('Enter');
    expect(await terminal.ended()).toBe(1);
  });
});
