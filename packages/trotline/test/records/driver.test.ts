import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainSqlite, openDatabase, sqliteCode } from '../../src/records/driver.ts';
import { childProgram } from './child.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trotline-driver-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const builtIn = process.versions.node.startsWith('20.') ? 'libsql' : 'node:sqlite';

test('the driver that Node brings is taken where it brings one', () => {
  expect(openDatabase(join(dir, 'x.db')).driver).toBe(builtIn);
});

test('opening it prints nothing, and silences no other warning', () => {
  const child = childProgram(`
    const records = await openRecords({ dir: args[0], env: {} });
    await records.close();
    process.emitWarning('SQLite of another kind', 'ExperimentalWarning');`);
  const { stderr } = spawnSync(process.execPath, [child.file, dir], { encoding: 'utf8' });
  child.remove();
  expect(stderr.match(/ExperimentalWarning/g)).toHaveLength(1);
  expect(stderr).toContain('of another kind');
});

describe.each([...new Set(['libsql', builtIn] as const)])('over %s', (driver) => {
  const open = (name = 'x.db') => openDatabase(join(dir, name), driver);

  test('a row comes back as it was put in', () => {
    const database = open();
    database.exec('CREATE TABLE t (i INTEGER, r REAL, s TEXT, n TEXT)');
    const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?, ?)');
    expect(insert.run(2 ** 53 - 1, 0.5, 'é\u0000"\'\ud83d\ude00', null)).toBe(1);
    expect(insert.run(-1, 1, '', 'x')).toBe(1);
    const rows = database.prepare('SELECT i, r, s, n FROM t').all();
    expect(rows.map((row) => ({ ...row }))).toEqual([
      // A NUL is the one character that does not, because one driver would lose what stands behind it.
      { i: 2 ** 53 - 1, r: 0.5, s: 'é\ufffd"\'\ud83d\ude00', n: null },
      { i: -1, r: 1, s: '', n: 'x' },
    ]);
    expect(database.prepare('SELECT i FROM t WHERE i = ?').get(-1)?.['i']).toBe(-1);
    expect(database.prepare('SELECT i FROM t WHERE i = ?').get(5)).toBeUndefined();
    expect(database.prepare('DELETE FROM t').run()).toBe(2);
    database.close();
  });

  test('what goes wrong has the number of SQLite and a code of ours', () => {
    const [one, two] = [open(), open()];
    for (const database of [one, two]) database.exec('PRAGMA busy_timeout = 0');
    one.exec('CREATE TABLE t (x UNIQUE)');
    one.exec('BEGIN IMMEDIATE');
    const thrown = (run: () => unknown): unknown => {
      try {
        run();
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const busy = thrown(() => two.exec('BEGIN IMMEDIATE'));
    expect(sqliteCode(busy)).toBe(5);
    expect(explainSqlite(busy, 'f').code).toBe('records.busy');
    one.exec('INSERT INTO t VALUES (1)');
    const twice = thrown(() => one.exec('INSERT INTO t VALUES (1)'));
    expect(sqliteCode(twice)).toBe(19);
    expect(explainSqlite(twice, 'f').code).toBe('records.write');
    one.exec('ROLLBACK');
    writeFileSync(join(dir, 'bad.db'), 'no database at all, '.repeat(300));
    const bad = thrown(() => open('bad.db').exec('PRAGMA journal_mode = WAL'));
    expect(explainSqlite(bad, 'f').code).toBe('records.corrupt');
    expect(sqliteCode(thrown(() => openDatabase(join(dir, 'none', 'x.db'), driver)))).toBe(14);
    one.close();
    two.close();
  });
});
