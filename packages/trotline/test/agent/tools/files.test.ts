import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createRead } from '../../../src/agent/tools/read.ts';
import type { ToolOutcome } from '../../../src/agent/tools/types.ts';
import { createEdit, createWrite } from '../../../src/agent/tools/write.ts';
import { toolContext } from '../support/context.ts';
import { tempDir } from '../support/temp.ts';

let cwd: string;
beforeEach(() => {
  cwd = tempDir();
});
const file = (name: string): string => join(cwd, name);
const content = (name: string): string => readFileSync(file(name), 'utf8');
const read = (input: object): Promise<ToolOutcome> => createRead().run({ ...input }, toolContext(cwd));
const write = (input: object): Promise<ToolOutcome> => createWrite().run({ ...input }, toolContext(cwd));
const edit = (input: object): Promise<ToolOutcome> => createEdit().run({ ...input }, toolContext(cwd));

test('Read numbers the lines it shows and says where to read on', async () => {
  writeFileSync(file('a'), 'one\ntwo\r\nthree\nfour\n');
  const out = await read({ file_path: 'a', offset: 2, limit: 2 });
  expect(out.text).toBe('     2\ttwo\n     3\tthree\n[lines 2 to 3 of 4; read on with offset 4]');
  expect(out.result).toEqual({
    type: 'text',
    file: { filePath: file('a'), content: 'two\nthree', numLines: 2, startLine: 2, totalLines: 4 },
  });
});

test('Read waits for nothing: a pipe, a device, a folder and a missing file are refused', async () => {
  execFileSync('mkfifo', [file('pipe')]);
  symlinkSync('/dev/zero', file('zeroes'));
  await expect(read({ file_path: 'pipe' })).rejects.toThrow('no regular file');
  await expect(read({ file_path: 'zeroes' })).rejects.toThrow('no regular file');
  await expect(read({ file_path: '.' })).rejects.toThrow('is a folder');
  await expect(read({ file_path: 'missing' })).rejects.toThrow('does not exist');
  await expect(read({ file_path: 'a\0b' })).rejects.toThrow('zero byte');
});

test('Read bounds what it shows of long lines and long files', async () => {
  writeFileSync(file('wide'), `${'x'.repeat(5_000)}\n`.repeat(3_000));
  const out = await read({ file_path: 'wide', limit: 3_000 });
  expect(out.text.length).toBeLessThan(210_000);
  expect(out.text).toContain('[5000 characters]');
  expect(out.text).toMatch(/\[lines 1 to \d+ of 3000; read on with offset \d+\]$/);
});

test('Read refuses binary content and says an empty file is empty', async () => {
  writeFileSync(file('binary'), Buffer.from([1, 0, 2]));
  writeFileSync(file('empty'), '');
  await expect(read({ file_path: 'binary' })).rejects.toThrow('is binary');
  expect((await read({ file_path: 'empty' })).text).toContain('is empty');
});

test('Write makes missing folders and tells a new file from a replaced one', async () => {
  const made = await write({ file_path: 'a/b/c.txt', content: 'one\n' });
  expect(content('a/b/c.txt')).toBe('one\n');
  expect(made.result).toMatchObject({ type: 'create', originalFile: null });
  const replaced = await write({ file_path: 'a/b/c.txt', content: 'two\n' });
  expect(content('a/b/c.txt')).toBe('two\n');
  expect(replaced.result).toMatchObject({
    type: 'update',
    originalFile: 'one\n',
    structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-one', '+two', ' '] }],
  });
});

test('Write keeps the mode, follows a link, and leaves nothing else behind', async () => {
  writeFileSync(file('script'), 'old');
  chmodSync(file('script'), 0o750);
  symlinkSync('script', file('link'));
  await write({ file_path: 'link', content: 'new' });
  expect(readlinkSync(file('link'))).toBe('script');
  expect(content('script')).toBe('new');
  expect(statSync(file('script')).mode & 0o777).toBe(0o750);
  expect(readdirSync(cwd).sort()).toEqual(['link', 'script']);
});

test('Write replaces no folder and no pipe, and goes through no dangling link', async () => {
  execFileSync('mkfifo', [file('pipe')]);
  mkdirSync(file('folder'));
  symlinkSync(join(cwd, 'nowhere'), file('dangling'));
  await expect(write({ file_path: 'folder', content: '' })).rejects.toThrow('folder');
  await expect(write({ file_path: 'pipe', content: '' })).rejects.toThrow('no regular file');
  await expect(write({ file_path: 'dangling', content: '' })).rejects.toThrow('link to nothing');
  expect(existsSync(file('nowhere'))).toBe(false);
});

test('Edit replaces the one occurrence, taking its text literally', async () => {
  writeFileSync(file('a'), 'price: 5\nname: x\n');
  const out = await edit({ file_path: 'a', old_string: '5', new_string: "$& $1 $'" });
  expect(content('a')).toBe("price: $& $1 $'\nname: x\n");
  expect(out.result).toMatchObject({
    filePath: file('a'),
    oldString: '5',
    replaceAll: false,
    originalFile: 'price: 5\nname: x\n',
  });
});

test('Edit refuses what is not there and what is there twice, and changes nothing then', async () => {
  writeFileSync(file('a'), 'x x');
  await expect(edit({ file_path: 'a', old_string: 'y', new_string: 'z' })).rejects.toThrow('was not found');
  await expect(edit({ file_path: 'a', old_string: 'x', new_string: 'z' })).rejects.toThrow('occurs 2 times');
  await expect(edit({ file_path: 'a', old_string: 'x', new_string: 'x' })).rejects.toThrow('the same');
  expect(content('a')).toBe('x x');
  await edit({ file_path: 'a', old_string: 'x', new_string: 'z', replace_all: true });
  expect(content('a')).toBe('z z');
});

test('Edit fits \\n to the line ends of the file', async () => {
  writeFileSync(file('a'), 'one\r\ntwo\r\n');
  await edit({ file_path: 'a', old_string: 'one\ntwo', new_string: '1\n2' });
  expect(content('a')).toBe('1\r\n2\r\n');
});

test('Edit leaves a byte order mark, and refuses bytes that are no UTF-8', async () => {
  writeFileSync(file('bom'), '\uFEFFx');
  await edit({ file_path: 'bom', old_string: 'x', new_string: 'y' });
  expect(readFileSync(file('bom'))).toEqual(Buffer.from('\uFEFFy'));
  writeFileSync(file('latin'), Buffer.from([0x78, 0xe9]));
  await expect(edit({ file_path: 'latin', old_string: 'x', new_string: 'y' })).rejects.toThrow('no UTF-8');
  expect(readFileSync(file('latin'))).toEqual(Buffer.from([0x78, 0xe9]));
});
