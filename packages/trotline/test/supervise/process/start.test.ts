import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PeerError } from '../../../src/supervise/process/index.ts';
import { missingScript } from '../../../src/supervise/process/start.ts';
import { escaped, lastWords } from '../../../src/supervise/process/words.ts';
import { fakePeer } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-start-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Why a command does not come up. */
async function whyNot(command: readonly string[]): Promise<PeerError> {
  const peer = fakePeer([], { command, cwd: folder });
  return peer.ready.then(
    () => expect.unreachable('it started'),
    (error: PeerError) => error,
  );
}
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('a process that ends at its start', () => {
  it.each([
    [process.execPath, 'hooks/first-hook.mjs'],
    ['sh', 'hooks/first-hook.sh'],
    ['sh', 'hooks/no-extension'],
  ])('because %s has no script says which, where, and what commands are relative to', async (program, script) => {
    const { message, code } = await whyNot([program, script]);
    expect(code).toBe('supervise.handshake');
    expect(message).toContain(`${script} does not exist in ${folder}`);
    expect(message).toContain('relative to the folder trotline is started in');
    expect(message).not.toContain('flush');
  });

  it('because its program is not there says the same', async () => {
    const { message } = await whyNot(['./hooks/gate.sh']);
    expect(message).toContain(`${folder}/hooks/gate.sh does not exist`);
    expect(message).toContain('relative to the folder trotline is started in');
  });

  it('because of a syntax error in JavaScript shows its file and line', async () => {
    write('hook.mjs', 'const a = 1;\n\nconst b = ;\n');
    const { message } = await whyNot([process.execPath, 'hook.mjs']);
    expect(message).toMatch(/hook\.mjs:3/);
    expect(message).toContain('SyntaxError');
    expect(message).not.toContain('flush');
  });

  it.runIf(has('python3'))('because of a syntax error in Python shows its file and line', async () => {
    write('hook.py', 'import sys\n\ndef before_tool(params)\n    return {}\n');
    const { message } = await whyNot(['python3', 'hook.py']);
    expect(message).toContain(`File "${folder}/hook.py", line 3`);
    expect(message).toContain('SyntaxError');
    expect(message).not.toContain('flush');
  });

  it('shows the end of what it printed, in bounds and with nothing in it that moves a cursor', async () => {
    const text = `${'long '.repeat(10_000)}\\n\\u001b[2J\\u202egnorw\\nlast words`;
    write('hook.mjs', `process.stderr.write("${text}"); process.exitCode = 3;\n`);
    const { message } = await whyNot([process.execPath, 'hook.mjs']);
    expect(message).toContain('exited with status 3');
    expect(message).toContain('\\u001b[2J\\u202egnorw | last words');
    expect(message.length).toBeLessThan(1500);
    expect(message).not.toContain('\u001b');
    expect(message).toContain('by hand');
  });

  it('which is not executable is told how to be', async () => {
    write('hook.sh', '#!/bin/sh\n');
    expect((await whyNot(['./hook.sh'])).message).toContain('chmod +x');
  });
});

it('a program that only repeats its input is no hook, and says so', async () => {
  const { message, failureClass } = await whyNot(['cat']);
  expect(failureClass).toBe('start');
  expect(message).toContain('gave the request hello back instead of answering it');
  expect(message).toContain('`cat`');
});

describe('the script of a command', () => {
  it.each([
    [['python3', '-u', 'missing.py'], 'missing.py'],
    [['/usr/bin/env', 'python3', 'missing.py'], 'missing.py'],
    [['node', '--import', 'tsx', 'hooks/missing.ts'], 'hooks/missing.ts'],
    [['python3.12', 'hooks/missing'], 'hooks/missing'],
    [['python3', '-m', 'package'], undefined],
    [['docker', 'run', 'image/name'], undefined],
    [['node', '-e', 'import "./x.js"; run("y.js")'], undefined],
    [['npx', 'https://example.com/x.js'], undefined],
    [['sh', '/etc/passwd'], undefined],
  ])('in %j that is missing is %j', (command, missing) => {
    expect(missingScript(command, folder)).toBe(missing);
  });
});

describe('the last words', () => {
  it('keep the line that names a place, however long the stack beneath', () => {
    const stack = Array.from({ length: 30 }, (_, at) => `    at f${at} (node:internal:${at})`);
    const notes = Array.from({ length: 10 }, (_, at) => `note ${at}`);
    expect(lastWords(['/a/hook.mjs:3', 'x = ;', '    ^', '', 'SyntaxError: no', ...stack, '', 'Node.js v22.1.0'])).toBe(
      '/a/hook.mjs:3 | x = ; | SyntaxError: no',
    );
    expect(lastWords(['  File "/a/hook.py", line 4', ...notes])).toMatch(/^File "\/a\/hook.py", line 4 \| note 4 \|/);
    expect(lastWords([])).toBe('');
  });

  it('have every control and direction character written out', () => {
    expect(escaped('a\u0000\u0007\u009b\u2066b')).toBe('a\\u0000\\u0007\\u009b\\u2066b');
  });
});
