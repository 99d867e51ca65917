import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/harness.ts';
import { type Page, pages, prose, readPage } from './page.ts';

/** The targets of a page's links, those in code spans left out. */
const targetsOf = (page: Page): string[] =>
  [
    ...prose(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => target ?? '');

/** Anchors as GitHub makes them of headings. */
function anchorsOf(page: Page): Set<string> {
  const headings = [...prose(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, text]) => text ?? '');
  const anchors = headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(anchors);
}

/** Why a link leads nowhere, or nothing. */
function fault(page: Page, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, page.path) : join(root, dirname(page.path), path);
  if (path !== '' && !existsSync(file)) return `${page.path}: ${target} does not exist`;
  if (relative(root, file).startsWith('..')) return `${page.path}: ${target} leaves the repository`;
  if (anchor === undefined) return undefined;
  if (path !== '' && !statSync(file).isFile()) return `${page.path}: ${target} is no page`;
  const there = path === '' ? page : readPage(relative(root, file), readFileSync(file, 'utf8'));
  return anchorsOf(there).has(anchor) ? undefined : `${page.path}: ${target} has no such heading`;
}

test('every link between pages leads somewhere', () => {
  const links = pages().flatMap((page) => targetsOf(page).map((target) => [page, target] as const));
  expect(links.length).toBeGreaterThan(10);
  expect(links.flatMap(([page, target]) => fault(page, target) ?? [])).toEqual([]);
});

test('a link to a missing page or heading is found', () => {
  const page = readPage(
    'docs/p.md',
    '# One two\n\n[a](#one-two) [b](#three) [c](nowhere.md) [d](https://example.com)\n',
  );
  expect(targetsOf(page).flatMap((target) => fault(page, target) ?? [])).toEqual([
    'docs/p.md: #three has no such heading',
    'docs/p.md: nowhere.md does not exist',
  ]);
});

test('the index names every page', () => {
  const all = pages();
  const index = all.find(({ path }) => path === 'docs/index.md');
  const named = new Set(index === undefined ? [] : targetsOf(index).map((target) => join('docs', target)));
  const missing = all.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== 'docs/index.md');
  expect(missing.filter((path) => !named.has(path))).toEqual([]);
});
