import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../cli/harness.ts';
import { type Block, pages } from './page.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-doctypes-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packages = {
  '@trotline/engine': 'engine/src/index.ts',
  '@trotline/engine/kernel': 'engine/src/kernel/index.ts',
  trotline: 'trotline/src/index.ts',
  'trotline/host': 'trotline/src/host/index.ts',
  'trotline/agent': 'trotline/src/agent/index.ts',
};

const compilerOptions = {
  noEmit: true,
  moduleDetection: 'force',
  typeRoots: [join(root, 'node_modules/@types')],
  paths: {
    ...Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, [join(root, 'packages', path)]])),
    '*': [join(root, 'node_modules/*')],
  },
};

/** Checks all blocks in one run and answers the errors in them, each with its place on the page. */
function errorsOf(blocks: readonly Block[]): string[] {
  const places = new Map<string, Block>();
  for (const block of blocks) {
    const page = block.page.replace(/\W/g, '_');
    // A page may show a file twice; each showing is checked beside the files that came before it.
    const name = block.file ?? `block-${block.line}.ts`;
    const path = places.has(join(folder, page, name)) ? `${name.replace(/\.ts$/, '')}-${block.line}.ts` : name;
    const file = join(folder, page, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
    places.set(file, block);
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [...places.keys()] };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const misread = stdout.split('\n').filter((line) => /^tsconfig|^error/.test(line));
  return [...misread, ...stdout.split('\n').flatMap((line) => placed(line, places))];
}

function placed(line: string, places: ReadonlyMap<string, Block>): string[] {
  const found = /^(.+?)\((\d+),(\d+)\): (error .*)$/.exec(line);
  const block = found === null ? undefined : places.get(join(folder, found[1] ?? ''));
  if (found === null || block === undefined) return [];
  return [`${block.page}:${block.line + Number(found[2]) - 1}: ${found[4]}`];
}

const samples = pages().flatMap(({ blocks }) =>
  blocks.filter(({ lang, unchecked }) => lang === 'ts' && unchecked === undefined),
);

const faulty: Block = {
  page: 'wrong.md',
  line: 7,
  lang: 'ts',
  run: false,
  exit: 0,
  faulty: false,
  text: "import { createEngine } from '@trotline/engine';\n\ncreateEngine({ gates: {} });",
};

let errors: string[] = [];
beforeAll(() => {
  errors = errorsOf([...samples, faulty]);
}, 120_000);

test('every sample in TypeScript on every page fits the types', () => {
  expect(samples.length).toBeGreaterThan(0);
  expect(errors.filter((error) => !error.startsWith(faulty.page))).toEqual([]);
});

test('a sample that does not fit is named with its line on the page', () => {
  expect(errors.filter((error) => error.startsWith(faulty.page))).toEqual([
    expect.stringContaining('wrong.md:9: error TS2'),
  ]);
});
