import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileRules, type PolicyRule } from '../../src/approvals/index.ts';
import { realPath } from '../../src/approvals/realPath.ts';

let root: string;
let cwd: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-paths-')));
  cwd = join(root, 'project');
  for (const dir of ['project/src/deep', 'project/secrets', 'outside/deep'])
    mkdirSync(join(root, dir), { recursive: true });
  for (const file of ['project/src/a.ts', 'project/secrets/key', 'outside/file']) writeFileSync(join(root, file), '');
  const link = (target: string, at: string) => symlinkSync(target, join(root, at));
  link('../../outside', 'project/src/out');
  link('../../outside/file', 'project/src/file.ts');
  link('../../outside/new', 'project/src/dangling.ts');
  link('../secrets', 'project/src/hidden');
  link('deep', 'project/src/inside');
  link('loop', 'project/src/loop');
  link('one', 'project/src/two');
  link('two', 'project/src/one');
  link('../../outside/deep', 'project/src/elsewhere');
  link('project', 'alias');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const judge = (decision: PolicyRule['decision'], pattern: string, path: string, from = cwd) =>
  compileRules([{ decision, tool: 'Write', pattern, layer: 'person' }], { cwd: from })({
    tool: 'Write',
    input: { file_path: path },
  })?.decision;

describe('an allow of `src/*` does not allow', () => {
  test.each([
    ['a way out by dots', 'src/../secrets/key'],
    ['dots behind a folder that is not there', 'src/none/../../secrets/key'],
    ['dots at the end', 'src/..'],
    ['a link to a folder outside', 'src/out/file'],
    ['a new file in a folder outside', 'src/out/new/er'],
    ['a link to a file outside', 'src/file.ts'],
    ['a link to a file outside that is not there yet', 'src/dangling.ts'],
    ['a link to another folder of the project', 'src/hidden/key'],
    ['a link to itself', 'src/loop'],
    ['links in a circle', 'src/one/x'],
    ['dots taken from where a link leads', 'src/elsewhere/../file'],
    ['a NUL', 'src/a.ts\0.png'],
    ['nothing', ''],
    ['the folder itself', 'src'],
    ['a folder whose name begins the same', 'src2/a.ts'],
    ['another absolute path', '/etc/passwd'],
    ['a path from home', '~/src/a.ts'],
    ['another case', 'SRC/a.ts'],
    ['a path elsewhere that ends the same', '/x/src/a.ts'],
  ])('%s', (_name, path) => {
    if (path === 'SRC/a.ts' && process.platform !== 'linux') return;
    expect(judge('allow', 'src/*', path)).toBeUndefined();
  });
});

describe('an allow of `src/*` allows', () => {
  test.each([
    'src/a.ts',
    './src/a.ts',
    'src//a.ts',
    'src/new.ts',
    'src/new/folder/x.ts',
    'src/deep/../a.ts',
    'src/inside/x',
  ])('%s', (path) => {
    expect(judge('allow', 'src/*', path)).toBe('allow');
  });
  test('the absolute spelling, also through a link the project itself lies behind', () => {
    expect(judge('allow', 'src/*', join(cwd, 'src/a.ts'))).toBe('allow');
    expect(judge('allow', 'src/*', 'src/a.ts', join(root, 'alias'))).toBe('allow');
    expect(judge('allow', 'src/*', join(root, 'alias/src/a.ts'), join(root, 'alias'))).toBe('allow');
    expect(judge('allow', 'src/*', 'src/out/file', join(root, 'alias'))).toBeUndefined();
  });
  test('a folder its writer named through a link', () => {
    expect(judge('allow', join(root, 'alias/src/*'), join(root, 'alias/src/a.ts'))).toBe('allow');
    expect(judge('allow', join(root, 'alias/src/*'), 'src/a.ts')).toBe('allow');
  });
});

describe('a deny of `secrets/*` catches', () => {
  test.each([
    ['as written', 'secrets/key'],
    ['with dots', './src/../secrets/./key'],
    ['with slashes', 'secrets//key'],
    ['through a link', 'src/hidden/key'],
    ['dots behind a link', 'src/inside/../../secrets/key'],
    ['a file that is not there yet', 'src/hidden/new'],
    ['links in a circle', 'src/one/x'],
  ])('%s', (_name, path) => {
    expect(judge('deny', 'secrets/*', path)).toBe('deny');
  });
  test('the absolute spelling and the one through another link', () => {
    expect(judge('deny', 'secrets/*', join(cwd, 'secrets/key'))).toBe('deny');
    expect(judge('deny', 'secrets/*', join(root, 'alias/secrets/key'))).toBe('deny');
  });
  test('not a file beside', () => {
    expect(judge('deny', 'secrets/*', 'src/a.ts')).toBeUndefined();
    expect(judge('deny', 'secrets/*', 'secretsx/a.ts')).toBeUndefined();
  });
});

test('a pattern that begins with a star stands for any folder', () => {
  expect(judge('deny', '*/.env', 'a/b/.env')).toBe('deny');
  expect(judge('deny', '*.pem', '/x/y.pem')).toBe('deny');
  expect(judge('allow', '*.ts', 'src/a.ts')).toBe('allow');
  expect(judge('allow', '*.ts', 'src/file.ts')).toBeUndefined();
  expect(judge('allow', '*project', '')).toBeUndefined();
});

test('a pattern from home means the home folder, in the pattern and in the path', () => {
  expect(judge('deny', '~/.ssh/*', join(homedir(), '.ssh/id'))).toBe('deny');
  expect(judge('deny', '~/.ssh/*', '~/.ssh/id')).toBe('deny');
  expect(judge('allow', '~/.ssh/*', join(homedir(), '.ssh/../x'))).toBeUndefined();
});

test('a pattern without a star is one file', () => {
  expect(judge('allow', 'src/a.ts', 'src/a.ts')).toBe('allow');
  expect(judge('allow', 'src/a.ts', 'src/a.tsx')).toBeUndefined();
  expect(judge('allow', 'src/file.ts', 'src/file.ts')).toBeUndefined();
  expect(judge('allow', '../outside/*', '../outside/file')).toBe('allow');
  expect(judge('allow', '../outside/*', 'src/out/file')).toBeUndefined();
});

test('an argument that holds a path is read as one whatever the tool', () => {
  const rules = compileRules([{ decision: 'deny', tool: '*', match: { path: 'secrets/*' }, layer: 'person' }], { cwd });
  expect(rules({ tool: 'mcp__files__read', input: { path: 'src/hidden/key' } })?.decision).toBe('deny');
  expect(rules({ tool: 'mcp__files__read', input: {} })).toBeUndefined();
});

test('a path is walked as the system walks it', () => {
  expect(realPath(join(cwd, 'src/elsewhere/../file'))).toBe(join(cwd, 'src/file'));
  expect(realPath(`${cwd}/src/elsewhere/../file`)).toBe(join(root, 'outside/file'));
  expect(realPath(`${cwd}/src/dangling.ts`)).toBe(join(root, 'outside/new'));
  expect(realPath(`${cwd}/src/loop`)).toBeUndefined();
});
