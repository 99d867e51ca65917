import type { Line } from 'trotline/host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExample } from '../open.ts';

let line: Line;
beforeAll(async () => {
  line = await openExample('redactor');
});
afterAll(() => line.close());

const read = (answer: () => string | { result: unknown }) =>
  line.tool({ tool: 'Read', input: { file_path: 'settings.ini' } }, answer);

test('a secret is gone from what the model reads and from what programs read', async () => {
  const out = await read(() => ({ result: { lines: ['token = tok-1234567890', { key: 'AKIAABCDEFGHIJKLMNOP' }] } }));
  expect(out.result).toEqual({ lines: ['token = [removed]', { key: '[removed]' }] });
  expect(out.text).not.toContain('tok-1234567890');
});

test('what is no secret stays', async () => {
  expect((await read(() => 'token = none')).text).toBe('token = none');
});

test('a failing tool does not get one past it', async () => {
  const out = await read(() => {
    throw new Error('no such user: tok-1234567890');
  });
  expect(out).toMatchObject({ isError: true, text: 'no such user: [removed]' });
});
