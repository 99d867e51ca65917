import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileRules } from '../../src/approvals/index.ts';

// The judge is asked about command lines put together at random, and real shells are asked what those command lines run. Every
// program they can find only writes down that it was called; `sudo`, `env` and `sh` also pass their words on.
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'trotline-shell-'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'cwd'));
  const log = join(root, 'log');
  const program = (name: string, then = '') => {
    const file = join(root, 'bin', name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $1" >> ${log}\n${then}`);
    chmodSync(file, 0o755);
  };
  for (const name of ['git', 'rm', 'x', 'echo', 'true']) program(name);
  program('sudo', 'exec "$@"\n');
  program('env', 'exec /usr/bin/env "$@"\n');
  program('sh', 'exec /bin/sh "$@"\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function runs(shell: string, command: string): { calls: string[]; files: string[] } {
  const log = join(root, 'log');
  const cwd = join(root, 'cwd');
  writeFileSync(log, '');
  spawnSync(shell, ['-c', command], {
    cwd,
    env: { PATH: join(root, 'bin') },
    stdio: 'ignore',
    timeout: 5000,
    killSignal: 'SIGKILL',
  });
  const files = readdirSync(cwd);
  for (const file of files) rmSync(join(cwd, file), { recursive: true, force: true });
  return { calls: readFileSync(log, 'utf8').split('\n').filter(Boolean), files };
}

const judge = (decision: 'allow' | 'deny', pattern: string, command: string) =>
  compileRules([{ decision, tool: 'Bash', pattern, layer: 'person' }], { cwd: '/' })({
    tool: 'Bash',
    input: { command },
  })?.decision;

const signs = [
  ...[' ', ' ', ' ', ';', '&&', '||', '|', '&', '\n', '"', "'", '`', '$(', ')', '(', '{ ', '; }', '\\', '#', ' #', '!'],
  ...['<', '>', '>>', '<<', '<<<', '&>', '>&', '2>&1', '>/dev/null', '$', '${', '}', '\t', "$'", '$@', '$IFS', '\r'],
];
const commands = (words: readonly string[], lead: string) =>
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom(...signs)), { maxLength: 10 })
    .map((pieces) => lead + pieces.join(''));

describe.each(['/bin/bash', '/bin/sh'])('in %s', { timeout: 120_000 }, (shell) => {
  test('an allowed command line runs nothing but what the rule names, and writes no file', () => {
    const words = ['git status', ' rm', ' -rf', 'x', 'A=1 ', 'sh -c ', ' eval '];
    const allowed = fc
      .sample(commands(words, 'git status'), { numRuns: 30_000, seed: Number(process.env['FUZZ_SEED'] ?? 1) })
      .filter((command) => judge('allow', 'git status*', command) === 'allow');
    const tried = [...new Set(allowed)]
      .sort((a, b) => b.length - a.length)
      .slice(0, Number(process.env['FUZZ'] ?? 100));
    expect(tried.length).toBeGreaterThan(50);
    for (const command of tried) {
      const { calls, files } = runs(shell, command);
      expect({ command, calls: calls.filter((call) => !call.startsWith('git ')), files }).toEqual({
        command,
        calls: [],
        files: [],
      });
    }
  });

  test('a command line that runs what a rule denies is denied', () => {
    const words = [
      'rm -rf',
      'rm',
      ' -rf ',
      'x',
      'sudo ',
      'env A=1 ',
      'sh -c ',
      'eval ',
      'echo ',
      'if true; then ',
      '; fi',
    ];
    const list = fc.sample(commands(words, ''), { numRuns: 30_000, seed: Number(process.env['FUZZ_SEED'] ?? 2) });
    const tried = [...new Set(list)]
      .filter((command) => command.includes('rm') && judge('deny', 'rm -rf*', command) === undefined)
      .slice(0, Number(process.env['FUZZ'] ?? 100));
    expect(tried.length).toBeGreaterThan(50);
    for (const command of tried) {
      const { calls } = runs(shell, command);
      expect({ command, ran: calls.includes('rm -rf') }).toEqual({ command, ran: false });
    }
  });
});
