import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunning, thisRunner } from '../../src/records/runner.ts';

test('a process is running while it is there', async () => {
  expect(isRunning(thisRunner())).toBe(true);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const runner = { pid: child.pid ?? 0, began: '' };
  expect(isRunning(runner)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isRunning(runner)).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a later process with the same number is another one', () => {
  const { pid, began } = thisRunner();
  expect(isRunning({ pid, began: `${began}1` })).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('a number that names no process runs nothing: %s', (pid) => {
  expect(isRunning({ pid, began: '' })).toBe(false);
});
