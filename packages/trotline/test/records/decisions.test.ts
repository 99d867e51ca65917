import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rowHash } from '../../src/records/chain.ts';
import { openDatabase } from '../../src/records/driver.ts';
import { createRecorder, type DecisionInput, openRecords, type Records } from '../../src/records/index.ts';
import { childProgram } from './child.ts';

let dir: string;
let records: Records;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trotline-decisions-'));
  records = await openRecords({ dir, env: { GITHUB_TOKEN: 'very-secret-value' } });
});
afterEach(async () => {
  await records.close();
  rmSync(dir, { recursive: true, force: true });
});

const decision = (id: string, more: Partial<DecisionInput> = {}): DecisionInput => ({
  id,
  at: 1000,
  tool: 'Bash',
  toolUseId: `use-${id}`,
  input: { command: 'ls' },
  decision: 'allow',
  source: { kind: 'rule', name: 'policy', rule: 'allow Bash ls' },
  ...more,
});
const done = { status: 'done', at: 3000, ms: 5, isError: false } as const;
const raw = () => openDatabase(records.file);

describe('a decision', () => {
  test('comes back with its start and its outcome', async () => {
    const given = decision('a', { session: 's1', agentId: 'sub', reason: 'because' });
    await records.decisions.decided(given);
    await records.decisions.started('a', 2000);
    await records.decisions.settled('a', done);
    expect(await records.decisions.get('a')).toMatchObject({
      ...given,
      seq: 1,
      startedAt: 2000,
      outcome: done,
      state: 'done',
      digest: records.digest({ tool: 'Bash', input: { command: 'ls' } }),
    });
  });

  test('is masked, and its digest is of what was not', async () => {
    const input = { command: 'curl -H "Authorization: Bearer abcdefghijkl" -d very-secret-value', password: 'hunter2' };
    await records.decisions.decided(
      decision('a', {
        input,
        reason: 'saw very-secret-value',
        source: { kind: 'hook', name: 'h', rule: 'very-secret-value' },
      }),
    );
    await records.close();
    const text = JSON.stringify(raw().prepare('SELECT * FROM decision_log').all());
    for (const secret of ['very-secret-value', 'abcdefghijkl', 'hunter2']) expect(text).not.toContain(secret);
    records = await openRecords({ dir, env: {} });
    expect((await records.decisions.get('a'))?.digest).toBe(records.digest({ tool: 'Bash', input }));
  });

  test('whose input is no JSON data is refused and leaves nothing behind', async () => {
    const bad = decision('a', { input: { when: new Date() } });
    await expect(records.decisions.decided(bad)).rejects.toMatchObject({ code: 'records.not-json' });
    expect(await records.decisions.find()).toEqual([]);
  });

  test('is found by session, tool, use, verdict and time, the newest up to the limit, oldest first', async () => {
    for (let n = 1; n <= 6; n++) {
      const more = {
        at: n,
        session: `s${n % 2}`,
        tool: n > 3 ? 'Read' : 'Bash',
        decision: n === 6 ? 'deny' : 'allow',
      } as const;
      await records.decisions.decided(decision(`${n}`, more));
    }
    const ids = async (filter: object) => (await records.decisions.find(filter)).map(({ id }) => id).join('');
    expect(await ids({})).toBe('123456');
    expect(await ids({ session: 's1' })).toBe('135');
    expect(await ids({ tool: 'Read' })).toBe('456');
    expect(await ids({ tool: 'Read', session: 's0' })).toBe('46');
    expect(await ids({ since: 4 })).toBe('456');
    expect(await ids({ decision: 'deny' })).toBe('6');
    expect(await ids({ toolUseId: 'use-2' })).toBe('2');
    expect(await ids({ limit: 2 })).toBe('56');
    expect(await ids({ limit: -1 })).toBe('6');
    expect(await ids({ limit: Number.NaN })).toBe('123456');
    expect(await ids({ session: "s1' OR '1'='1" })).toBe('');
  });
});

describe('a call', () => {
  test('is started at most once', async () => {
    await records.decisions.decided(decision('a'));
    await records.decisions.started('a');
    await expect(records.decisions.started('a')).rejects.toMatchObject({ code: 'records.started-twice' });
    await expect(records.decisions.decided(decision('a'), { started: true })).rejects.toMatchObject({
      code: 'records.started-twice',
    });
    // The refused decision is not there either.
    expect(await records.decisions.find()).toHaveLength(1);
  });

  test('is settled at most once', async () => {
    await records.decisions.decided(decision('a'), { started: true });
    await records.decisions.settled('a', done);
    await expect(records.decisions.settled('a', { ...done, status: 'failed' })).rejects.toMatchObject({
      code: 'records.settled-twice',
    });
    expect((await records.decisions.get('a'))?.outcome).toEqual(done);
  });

  test('that is refused spoils no other of the same burst', async () => {
    const results = await Promise.allSettled([
      records.decisions.decided(decision('a'), { started: true }),
      records.decisions.decided(decision('a'), { started: true }),
      records.decisions.decided(decision('b'), { started: true }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await records.decisions.find()).map(({ id, seq }) => [id, seq])).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
  });

  test('that was asked about and then allowed has its outcome at the allow', async () => {
    await records.decisions.decided(decision('a', { decision: 'ask' }));
    await records.decisions.decided(decision('a'), { started: true });
    await records.decisions.settled('a', done);
    expect((await records.decisions.find()).map(({ state }) => state)).toEqual(['open', 'done']);
  });

  test('of a process that is there is running, of one that is gone unknown, and only that is shown as such', async () => {
    await records.decisions.decided(decision('mine', { session: 's' }), { started: true });
    await records.decisions.decided(decision('settled', { session: 's' }), { started: true });
    await records.decisions.settled('settled', done);
    await records.decisions.decided(decision('denied', { session: 's', decision: 'deny' }));
    const child = childProgram(`
      const records = await openRecords({ dir: args[0], env: {} });
      await records.decisions.decided(${JSON.stringify(decision('lost', { session: 's' }))}, { started: true });
      process.kill(process.pid, 'SIGKILL');`);
    expect(spawnSync(process.execPath, [child.file, dir]).signal).toBe('SIGKILL');
    child.remove();
    expect((await records.decisions.get('mine'))?.state).toBe('running');
    expect((await records.decisions.get('lost'))?.state).toBe('unknown');
    expect((await records.decisions.unknown({ session: 's' })).map(({ id }) => id)).toEqual(['lost']);
    expect(await records.decisions.unknown({ session: 'other' })).toEqual([]);
    await records.decisions.settled('lost', { ...done, status: 'aborted' });
    expect(await records.decisions.unknown()).toEqual([]);
  });
});

describe('the log', () => {
  const sqls = [
    "UPDATE decision_log SET body = '{}' WHERE seq = 1",
    'UPDATE decision_log SET at = at',
    'DELETE FROM decision_log WHERE seq = 2',
    'DELETE FROM decision_log',
    "INSERT OR REPLACE INTO decision_log SELECT seq, kind, id, at, session, tool, '{}', prev_hash, hash FROM decision_log WHERE seq = 1",
    "REPLACE INTO decision_log (seq, kind, id, at, body, prev_hash, hash) VALUES (2, 'decision', 'x', 1, '{}', '', '')",
    "REPLACE INTO decision_log (seq, kind, id, at, body, prev_hash, hash) SELECT 1, 'decision', 'x', 1, '{}', hash, '' FROM decision_log WHERE seq = 2",
    "INSERT INTO decision_log (seq, kind, id, at, body, prev_hash, hash) VALUES (9, 'decision', 'x', 1, '{}', '', '')",
    "INSERT INTO decision_log (kind, id, at, body, prev_hash, hash) VALUES ('decision', 'x', 1, '{}', '', '')",
    "INSERT INTO decision_log (seq, kind, id, at, body, prev_hash, hash) VALUES (3, 'decision', 'x', 1, '{}', 'wrong', '')",
  ];
  test.each(sqls)('takes no change: %s', async (sql) => {
    await records.decisions.decided(decision('a'));
    await records.decisions.decided(decision('b'));
    const database = raw();
    const before = database.prepare('SELECT * FROM decision_log').all();
    expect(() => database.exec(sql)).toThrow(/append-only/);
    expect(database.prepare('SELECT * FROM decision_log').all()).toEqual(before);
    database.close();
  });

  test('chains every row to the one before, starts and outcomes too', async () => {
    await records.decisions.decided(decision('a\0b', { tool: 'Ba\0sh', session: '\0' }), { started: true });
    await records.decisions.settled('a\0b', done);
    expect((await records.decisions.get('a\0b'))?.state).toBe('done');
    const database = raw();
    let previous = '';
    const rows = database.prepare('SELECT * FROM decision_log ORDER BY seq').all();
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(row['prev_hash']).toBe(previous);
      const { seq, kind, id, at, session, tool, body } = row as never as Parameters<typeof rowHash>[2] & {
        seq: number;
      };
      previous = rowHash(previous, seq, { kind, id, at, session, tool, body });
      expect(row['hash']).toBe(previous);
    }
    database.close();
  });

  test('is one chain for several processes that write at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openRecords({ dir, env: {} })));
    const all = [records, ...others];
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        for (const [at, one] of all.entries()) await one.decisions.decided(decision(`${at}-${n}`), { started: true });
      }),
    );
    for (const one of others) await one.close();
    const database = raw();
    const rows = database.prepare('SELECT seq, prev_hash, hash FROM decision_log ORDER BY seq').all();
    expect(rows).toHaveLength(320);
    rows.forEach((row, at) => {
      expect([row['seq'], row['prev_hash']]).toEqual([at + 1, at === 0 ? '' : rows[at - 1]?.['hash']]);
    });
    database.close();
  });
});

describe("the engine's recorder", () => {
  const row = (id: string, more = {}) =>
    ({ ...decision(id), ...more }) as Parameters<ReturnType<typeof createRecorder>['decided']>[0];

  test('makes an allow durable together with its start, before it resolves', async () => {
    const recorder = createRecorder(records);
    await recorder.decided(row('call-1'));
    const other = await openRecords({ dir, env: {} });
    const [found] = await other.decisions.find();
    expect(found).toMatchObject({ state: 'running', startedAt: expect.any(Number) });
    await recorder.settled('call-1', done);
    expect((await other.decisions.find())[0]).toMatchObject({ state: 'done', outcome: done });
    await other.close();
  });

  test('keeps the calls of two engines apart that both count from one', async () => {
    const [one, two] = [createRecorder(records), createRecorder(records)];
    await one.decided(row('call-1'));
    await two.decided(row('call-1'));
    await two.settled('call-1', { ...done, status: 'failed' });
    expect((await records.decisions.find()).map(({ state }) => state)).toEqual(['running', 'failed']);
  });

  test('starts nothing that was denied', async () => {
    await createRecorder(records).decided(row('call-1', { decision: 'deny' }));
    expect((await records.decisions.find())[0]).toMatchObject({ decision: 'deny', state: 'open' });
  });
});
