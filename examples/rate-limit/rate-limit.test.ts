import type { Line } from 'trotline/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openExample } from '../open.ts';

let line: Line;
let now: number;
beforeEach(async () => {
  now = 1_000_000;
  line = await openExample('rate-limit', { ops: { 'clock.now': () => now } });
});
afterEach(() => line.close());

const call = (tool = 'Bash') => line.tool({ tool, input: { command: 'ls' }, isReadOnly: tool !== 'Bash' }, () => 'ran');

test('the call after the last that is allowed is denied, and says why', async () => {
  for (let i = 0; i < 3; i++) expect((await call()).text).toBe('ran');
  expect((await call()).deny).toContain('3 times in 60 s');
});

test('calls side by side are counted one by one', async () => {
  const outs = await Promise.all(Array.from({ length: 8 }, () => call()));
  expect(outs.filter(({ deny }) => deny === undefined)).toHaveLength(3);
});

test('a call is let through again when an old one is out of the window', async () => {
  for (const at of [0, 10_000, 20_000]) {
    now = 1_000_000 + at;
    await call();
  }
  now = 1_000_000 + 59_999;
  expect((await call()).deny).toBeDefined();
  now = 1_000_000 + 60_000;
  expect((await call()).text).toBe('ran');
  expect((await call()).deny).toBeDefined();
});

test('other tools are not counted', async () => {
  for (let i = 0; i < 5; i++) expect((await call('Clock')).text).toBe('ran');
});
