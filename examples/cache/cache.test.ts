import type { Line } from 'trotline/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openExample } from '../open.ts';

let line: Line;
let fetched: string[];
let now: number;
beforeEach(async () => {
  fetched = [];
  now = 1_000_000;
  // The clock of hooks is an op like any other, so that a test can turn it.
  line = await openExample('cache', { ops: { 'clock.now': () => now } });
});
afterEach(() => line.close());

const fetchPage = (url: string, answer: () => string = () => `page ${fetched.length}`) =>
  line.tool({ tool: 'WebFetch', input: { url } }, ({ input }) => {
    fetched.push(String(input['url']));
    return answer();
  });

test('a page is fetched once, and the second answer says who gave it', async () => {
  expect((await fetchPage('https://a.example/')).text).toBe('page 1');
  expect(await fetchPage('https://a.example/')).toMatchObject({ text: 'page 1', answeredBy: 'cache' });
  expect(fetched).toEqual(['https://a.example/']);
});

test('it is fetched again once its time is over', async () => {
  await fetchPage('https://a.example/');
  now += 60_000;
  expect((await fetchPage('https://a.example/')).text).toBe('page 2');
});

test('a failure is not kept', async () => {
  await fetchPage('https://a.example/', () => {
    throw new Error('no connection');
  });
  expect((await fetchPage('https://a.example/')).text).toBe('page 2');
});

test('no more pages are kept than the limit, the oldest going first', async () => {
  for (const name of ['a', 'b', 'c', 'b', 'a']) await fetchPage(`https://${name}.example/`);
  expect(fetched.map((url) => url.slice(8, 9)).join('')).toBe('abca');
});
