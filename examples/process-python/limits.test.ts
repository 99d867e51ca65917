import type { ToolRun } from '@trotline/engine';
import type { Line } from 'trotline/host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExample } from '../open.ts';

let line: Line;
beforeAll(async () => {
  line = await openExample('process-python');
});
afterAll(() => line?.close());

const bash = (input: ToolRun['input'], run: (run: ToolRun) => string) => line.tool({ tool: 'Bash', input }, run);

test('a command gets ten seconds, however many were asked for', async () => {
  const timeout = ({ input }: ToolRun): string => String(input['timeout']);
  expect((await bash({ command: 'make' }, timeout)).text).toBe('10000');
  expect((await bash({ command: 'make', timeout: 60_000 }, timeout)).text).toBe('10000');
  expect((await bash({ command: 'make', timeout: 2_000 }, timeout)).text).toBe('2000');
});

test('a long result is cut, a short one is not', async () => {
  const long = await bash({ command: 'yes' }, () => 'y'.repeat(5_000));
  expect(long.text).toBe(`${'y'.repeat(2_000)}\n… 3000 more characters`);
  expect((await bash({ command: 'ls' }, () => 'a file')).text).toBe('a file');
});
