import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/records/driver.ts';
import { openRecords, stateDir } from '../../src/records/index.ts';
import { migrate } from '../../src/records/migrate.ts';
import { childProgram } from './child.ts';

let root: string;
let dir: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trotline-open-'));
  dir = join(root, 'home', 'state');
  file = join(dir, 'trotline.db');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = () => openRecords({ dir, env: {} });
const make = async () => {
  const records = await open();
  await records.sessions.create({ id: 's', cwd: '/p' });
  await records.close();
};

describe('the state folder', () => {
  test.skipIf(process.platform === 'win32')(
    'and all in it is for its owner alone, whatever the umask and the mode before',
    async () => {
      mkdirSync(dir, { recursive: true, mode: 0o755 });
      chmodSync(dir, 0o755);
      const umask = process.umask(0);
      try {
        const records = await open();
        await records.sessions.create({ cwd: '/p' });
        expect(statSync(dir).mode & 0o777).toBe(0o700);
        const names = readdirSync(dir);
        expect(names).toEqual(expect.arrayContaining(['trotline.db', 'trotline.db-wal', 'installation.key']));
        for (const name of names) expect([name, statSync(join(dir, name)).mode & 0o077]).toEqual([name, 0]);
        await records.close();
      } finally {
        process.umask(umask);
      }
    },
  );
  test('is named by TROTLINE_HOME, else stands in the home folder', () => {
    expect(stateDir({ TROTLINE_HOME: '/x' })).toBe(join('/x', 'state'));
    expect(stateDir({})).toMatch(/\.trotline.state$/);
  });
  test('that cannot be made is said so', async () => {
    writeFileSync(join(root, 'home'), 'a file');
    await expect(open()).rejects.toMatchObject({ code: 'records.folder' });
  });
});

describe('the key', () => {
  test('is made once and makes the same digest for everybody', async () => {
    const all = await Promise.all([open(), open(), open()]);
    const call = { tool: 'Bash', input: { b: 1, a: 2 } };
    const digests = all.map((records) => records.digest(call));
    expect(new Set(digests).size).toBe(1);
    expect(all[0]?.digest({ tool: 'Bash', input: { a: 2, b: 1 } })).toBe(digests[0]);
    expect(all[0]?.digest({ tool: 'Bash', input: { a: 2, b: 2 } })).not.toBe(digests[0]);
    expect(readdirSync(dir).filter((name) => name.includes('key'))).toEqual(['installation.key']);
    await Promise.all(all.map((records) => records.close()));
  });
  test('differs from one installation to the next', async () => {
    const [one, two] = [await open(), await openRecords({ dir: join(root, 'other'), env: {} })];
    expect(one.digest({ tool: 'x', input: 1 })).not.toBe(two.digest({ tool: 'x', input: 1 }));
    await one.close();
    await two.close();
  });
  test('that is damaged is refused and left alone', async () => {
    await make();
    writeFileSync(join(dir, 'installation.key'), 'short');
    await expect(open()).rejects.toMatchObject({ code: 'records.key' });
    expect(readFileSync(join(dir, 'installation.key'), 'utf8')).toBe('short');
  });
});

describe('a database', () => {
  test('that is none is refused and left as it was', async () => {
    mkdirSync(dir, { recursive: true });
    const text = 'this is a letter and no database. '.repeat(300);
    writeFileSync(file, text);
    await expect(open()).rejects.toMatchObject({ code: 'records.corrupt' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(dir).sort()).toEqual(['installation.key', 'trotline.db']);
  });

  test('that is damaged inside is refused with every byte still there', async () => {
    await make();
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(3000, 0xff), 0, 3000, 100);
    closeSync(handle);
    const before = readFileSync(file);
    await expect(open()).rejects.toMatchObject({ code: 'records.corrupt' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('of a newer version is refused and left as it was', async () => {
    await make();
    const database = openDatabase(file);
    database.exec("INSERT INTO migrations (version, name, at) VALUES (999, 'from the future', 1)");
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    copyFileSync(file, join(root, 'copy'));
    await expect(open()).rejects.toMatchObject({ code: 'records.newer', message: expect.stringContaining('999') });
    expect(readFileSync(file).equals(readFileSync(join(root, 'copy')))).toBe(true);
  });

  test('whose last step failed stays at the step before', async () => {
    await make();
    const database = openDatabase(file);
    const step = { version: 2, name: 'broken', sql: 'CREATE TABLE new_one (x); INSERT INTO no_such_table VALUES (1)' };
    const first = { version: 1, name: 'x', sql: '' };
    expect(() => migrate(database, file, [first, step])).toThrow(/no_such_table/);
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'new_one'").get()).toBeUndefined();
    migrate(database, file, [first, { ...step, sql: 'CREATE TABLE new_one (x)' }]);
    expect(database.prepare('SELECT max(version) AS v FROM migrations').get()?.['v']).toBe(2);
    database.close();
  });

  test('is made once by processes that start at once', async () => {
    const child = childProgram(`
      const records = await openRecords({ dir: args[0], env: {} });
      await records.sessions.create({ cwd: '/p' });
      await records.close();`);
    const { spawn } = await import('node:child_process');
    const ends = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise((resolve) => {
            spawn(process.execPath, [child.file, dir], { stdio: 'inherit' }).once('close', resolve);
          }),
      ),
    );
    child.remove();
    expect(ends).toEqual([0, 0, 0, 0]);
    const records = await open();
    expect(await records.sessions.list()).toHaveLength(4);
    await records.close();
  });

  test('is one file after its last user closed it, which can be copied', async () => {
    const records = await open();
    expect(openDatabase(file).prepare('PRAGMA journal_mode').get()?.['journal_mode']).toBe('wal');
    await records.sessions.create({ id: 'kept', cwd: '/p' });
    await records.close();
    mkdirSync(join(root, 'copy'));
    copyFileSync(file, join(root, 'copy', 'trotline.db'));
    const copy = await openRecords({ dir: join(root, 'copy'), env: {} });
    expect((await copy.sessions.list()).map(({ id }) => id)).toEqual(['kept']);
    await copy.close();
  });
});

describe('closing', () => {
  test('writes what was handed over before, and refuses what comes after', async () => {
    const records = await open();
    const made = records.sessions.create({ id: 'last', cwd: '/p' });
    await records.close();
    expect((await made).id).toBe('last');
    await expect(records.sessions.list()).rejects.toMatchObject({ code: 'records.closed' });
    await expect(records.sessions.create({ cwd: '/p' })).rejects.toMatchObject({ code: 'records.closed' });
    await records.close();
    const again = await open();
    expect((await again.sessions.list()).map(({ id }) => id)).toEqual(['last']);
    await again.close();
  });
  test('is not needed for a program to end with everything written', async () => {
    const child = childProgram(`
      const records = await openRecords({ dir: args[0], env: {} });
      records.sessions.create({ id: 'unawaited', cwd: '/p' });`);
    const { status, stderr } = spawnSync(process.execPath, [child.file, dir], { encoding: 'utf8' });
    child.remove();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const records = await open();
    expect(await records.sessions.list()).toHaveLength(1);
    await records.close();
  });
});
