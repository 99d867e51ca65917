import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createGlob } from '../../../src/agent/tools/glob.ts';
import { createGrep } from '../../../src/agent/tools/grep.ts';
import type { ToolOutcome } from '../../../src/agent/tools/types.ts';
import { toolContext } from '../support/context.ts';
import { tempDir } from '../support/temp.ts';

let cwd: string;
let age = 1;
beforeEach(() => {
  cwd = tempDir();
});
function put(name: string, content = ''): string {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  age += 1;
  utimesSync(path, age, age);
  return path;
}
const glob = (input: object): Promise<ToolOutcome> => createGlob().run({ ...input }, toolContext(cwd));
const grep = (input: object): Promise<ToolOutcome> => createGrep().run({ ...input }, toolContext(cwd));
const relative = (out: ToolOutcome): string[] =>
  (out.result as { filenames: string[] }).filenames.map((path) => path.slice(cwd.length + 1));

test('Glob finds files by pattern, the last changed first', async () => {
  put('src/a.ts');
  put('src/deep/b.ts');
  put('src/c.js');
  const out = await glob({ pattern: '**/*.ts' });
  expect(relative(out)).toEqual(['src/deep/b.ts', 'src/a.ts']);
  expect(out.result).toMatchObject({ numFiles: 2, truncated: false });
  expect(relative(await glob({ pattern: '*.ts', path: 'src' }))).toEqual(['src/a.ts']);
});

test('what .gitignore names, node_modules and .git are left out', async () => {
  for (const name of [
    'a.log',
    'keep.log',
    'build/x.log',
    'sub/build/y.log',
    'sub/z.log',
    'node_modules/n.log',
    '.git/g.log',
  ])
    put(name);
  put('.gitignore', '# comment\n*.log\n!keep.log\n/build\n');
  put('sub/.gitignore', '!z.log\n');
  expect(relative(await glob({ pattern: '**/*.log' })).sort()).toEqual(['keep.log', 'sub/z.log']);
});

test('a folder that links to its parent is not followed, a link to a file is', async () => {
  put('real.txt');
  symlinkSync('.', join(cwd, 'loop'));
  symlinkSync('real.txt', join(cwd, 'link.txt'));
  expect(relative(await glob({ pattern: '**/*.txt' })).sort()).toEqual(['link.txt', 'real.txt']);
});

test('Glob says so when it shows only a part, and when a folder does not exist', async () => {
  for (let at = 0; at < 205; at++) put(`f${at}`);
  const out = await glob({ pattern: '*' });
  expect(out.result).toMatchObject({ numFiles: 200, truncated: true });
  expect(out.text).toContain('200 of 205 shown');
  await expect(glob({ pattern: '*', path: 'missing' })).rejects.toThrow('cannot be searched');
});

test('Grep names the files that match', async () => {
  put('a.txt', 'hello\n');
  put('b.txt', 'goodbye\n');
  put('c.bin', 'hello\0');
  const out = await grep({ pattern: 'HEL+O', '-i': true });
  expect(relative(out)).toEqual(['a.txt']);
  expect(out.text).toBe(join(cwd, 'a.txt'));
});

test('Grep shows lines with their numbers and the lines around them', async () => {
  const path = put('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n');
  const out = await grep({ pattern: '^(two|seven)$', output_mode: 'content', '-C': 1 });
  expect(out.text.split('\n')).toEqual([
    `${path}-1-one`,
    `${path}:2:two`,
    `${path}-3-three`,
    '--',
    `${path}-6-six`,
    `${path}:7:seven`,
  ]);
  expect((await grep({ pattern: 'six', output_mode: 'content', '-n': false })).text).toBe(`${path}:six`);
});

test('Grep keeps to one line, unless it may reach over line breaks', async () => {
  const path = put('a.txt', 'start\nmiddle\nend\n');
  expect((await grep({ pattern: 'start\\s+middle' })).text).toBe('No matches found');
  const out = await grep({ pattern: 'start.*end', multiline: true, output_mode: 'content' });
  expect(out.text.split('\n')).toEqual([`${path}:1:start`, `${path}:2:middle`, `${path}:3:end`]);
});

test('Grep counts, by file, only the files that a glob admits', async () => {
  const path = put('src/a.ts', 'x\nx\ny\n');
  put('src/a.js', 'x\n');
  const out = await grep({ pattern: 'x', glob: '*.ts', output_mode: 'count' });
  expect(out.text).toBe(`${path}:2`);
  expect(out.result).toMatchObject({ numMatches: 2, numFiles: 1 });
});

test('a pattern that backtracks without end is refused and names the file', async () => {
  const path = put('a.txt', `${'a'.repeat(50)}!\n`);
  await expect(grep({ pattern: '^(a+)+$' })).rejects.toThrow(path);
});

test('a pattern that is none is refused', async () => {
  await expect(grep({ pattern: '(' })).rejects.toThrow('no regular expression');
});

test('Grep waits for no pipe', async () => {
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  put('a.txt', 'x');
  expect(relative(await grep({ pattern: 'x' }))).toEqual(['a.txt']);
  expect((await grep({ pattern: 'x', path: 'pipe' })).text).toContain('could not be read');
});

test('Grep stops at the limit and says so', async () => {
  put('a.txt', 'x\n'.repeat(50));
  const out = await grep({ pattern: 'x', output_mode: 'content', head_limit: 5 });
  expect(out.result).toMatchObject({ numLines: 5 });
  expect(out.text).toContain('the search ended after 5');
});

test('an abort ends a search', async () => {
  put('a.txt', 'x');
  const abort = new AbortController();
  abort.abort(new Error('enough'));
  await expect(createGrep().run({ pattern: 'x' }, toolContext(cwd, abort.signal))).rejects.toThrow('enough');
});
