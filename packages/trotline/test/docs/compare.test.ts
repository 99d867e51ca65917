import { expect, test } from 'vitest';
import { difference } from './compare.ts';
import { readPage } from './page.ts';

test('what was printed must be what the page says, blank edges aside', () => {
  expect(difference('one\ntwo', '\none  \ntwo\n\n')).toBeUndefined();
  expect(difference('one\ntwo', 'one\ntwo\nthree')).toContain('three');
  expect(difference('one', 'One')).toBeDefined();
});

test('… stands for text within a line, and for lines on a line of its own', () => {
  expect(difference('took … ms\n…\nend', 'took 12 ms\na\nb\nend')).toBeUndefined();
  expect(difference('a\n…\nb', 'a\nb')).toBeUndefined();
  expect(difference('a … c', 'a b\nc')).toBeDefined();
  expect(difference('(.*) …', 'anything')).toBeDefined();
});

test('the head of a block says what is done with it', () => {
  const page = readPage(
    'p.md',
    '```sh run exit=2\nfalse\n```\n~~~ts hooks/a.ts\n```\n~~~\n```ts no-check: shape only\n```\n',
  );
  expect(page.blocks).toEqual([
    { page: 'p.md', line: 2, lang: 'sh', run: true, exit: 2, faulty: false, text: 'false' },
    { page: 'p.md', line: 5, lang: 'ts', run: false, exit: 0, faulty: false, file: 'hooks/a.ts', text: '```' },
    { page: 'p.md', line: 8, lang: 'ts', run: false, exit: 0, faulty: false, unchecked: 'shape only', text: '' },
  ]);
  expect(() => readPage('p.md', '```ts runn\n```')).toThrow('"runn" means nothing');
  expect(() => readPage('p.md', '```ts\n')).toThrow('never closed');
});
