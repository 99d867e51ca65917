import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { type Page, pages, prose, readPage } from './page.ts';

const everywhere = ['--help', '--json'];
const top = ['--help', '--version', 'help'];

const optionsOf = (flags: string): string[] => flags.match(/--[a-z-]+/g) ?? [];
const known = new Map(
  commands.map(({ name, options = [] }) => [
    name,
    [...everywhere, ...options.flatMap(({ flags }) => optionsOf(flags))],
  ]),
);
const all = new Set([...known.values()].flat());

/** Every command line of a page that calls `trotline`, and every option in a code span of its own. */
function spoken(page: Page): string[] {
  const spans = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');
  const lines = page.blocks
    .filter(({ lang }) => lang === 'sh' || lang === 'console')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
  return [...spans.filter((span) => span.startsWith('--')), ...[...spans, ...lines].flatMap(callsIn)];
}

/** The calls of `trotline` in a command line: `echo x | trotline run - && …`. */
const callsIn = (line: string): string[] =>
  [
    ...line.matchAll(/(?:^|[|;&$({] *|npx )(?:node packages\/trotline\/bin\/trotline\.js|trotline)((?: [^|;&]*)?)/g),
  ].map(([, rest]) => `trotline${rest ?? ''}`);

/** What a command line names that does not exist, or nothing. */
function fault(line: string): string | undefined {
  const text = line.replaceAll(/"[^"]*"|'[^']*'/g, '""').replace(/ #.*$/, '');
  const options = text.match(/(?<=^|[\s[(])--[a-z][a-z-]*/g) ?? [];
  if (!text.startsWith('trotline')) return options.find((option) => !all.has(option));
  const [, first = '', second = ''] = text.split(/\s+/);
  if (first === '' || /^[A-Z<[…]/.test(first)) return undefined;
  const name = known.has(first) ? first : `${first} ${second}`.trim();
  const options_ = known.get(name);
  if (options_ !== undefined) return options.find((option) => !options_.includes(option));
  const isGroup = second === '' && [...known.keys()].some((other) => other.startsWith(`${first} `));
  return isGroup || top.includes(first) ? undefined : name;
}

const faults = (page: Page): string[] =>
  spoken(page).flatMap((line) => {
    const wrong = fault(line);
    return wrong === undefined ? [] : [`${page.path}: ${wrong} in "${line}"`];
  });

test('every command and option that a page names exists', () => {
  const named = pages().flatMap(spoken);
  expect(named.length).toBeGreaterThan(50);
  expect(pages().flatMap(faults)).toEqual([]);
});

test('a command or an option that does not exist is found', () => {
  const page = readPage(
    'p.md',
    'See `trotline fish`, `--all` and `trotline run "x --y" --allow Bash`.\n\n```sh\nls | trotline run - --bait\n```\n',
  );
  expect(faults(page)).toEqual([
    'p.md: --all in "--all"',
    'p.md: fish in "trotline fish"',
    'p.md: --bait in "trotline run - --bait"',
  ]);
});
