import { expect, test } from 'vitest';
import { type Block, expectedOf, type Page, pages, readPage } from './page.ts';

/** Is the block checked by one of the tests beside this one, or says why not? */
function accounted(page: Page, block: Block): boolean {
  const before = page.blocks[page.blocks.indexOf(block) - 1];
  if (block.unchecked !== undefined) return block.unchecked !== '';
  if (block.lang === 'ts' || block.run) return true;
  if (block.lang === 'text') return before?.run === true && expectedOf(page, before) === block.text;
  return block.file !== undefined;
}

const unaccounted = (page: Page): string[] =>
  page.blocks.filter((block) => !accounted(page, block)).map(({ line, lang }) => `${page.path}:${line} (${lang})`);

test('every block of every page is checked, or says why not', () => {
  expect(pages().flatMap(unaccounted)).toEqual([]);
});

test('a block that nothing checks is found', () => {
  const page = readPage('p.md', '# Title\n\n```sh\nls\n```\n\n```json no-check: shape only\n{}\n```\n');
  expect(unaccounted(page)).toEqual(['p.md:4 (sh)']);
});

test('only what can be run is marked to be run', () => {
  const wrong = pages().flatMap(({ path, blocks }) =>
    blocks.filter(({ run, lang }) => run && lang !== 'sh' && lang !== 'ts').map(({ line }) => `${path}:${line}`),
  );
  expect(wrong).toEqual([]);
});
