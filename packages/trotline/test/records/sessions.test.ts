import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecords, type Records } from '../../src/records/index.ts';

let dir: string;
let records: Records;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trotline-sessions-'));
  records = await openRecords({ dir, env: {} });
});
afterEach(async () => {
  await records.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a session', () => {
  test('resumes exactly, in another process too', async () => {
    const { sessions } = records;
    const made = await sessions.create({ cwd: '/p', title: 'first', meta: { model: 'script:x' } });
    expect(made).toMatchObject({ cwd: '/p', title: 'first', rows: 0, meta: { model: 'script:x' } });
    const rows = [
      { role: 'user', content: 'hé\u0000\n\ud83d\ude00' },
      [1, 'a', null],
      'text',
      { z: 1, a: { __proto__: null } },
    ];
    expect(await sessions.append(made.id, rows.slice(0, 1))).toEqual([1]);
    expect(await sessions.append(made.id, rows.slice(1))).toEqual([2, 3, 4]);
    await records.close();
    records = await openRecords({ dir, env: {} });
    const found = await records.sessions.load(made.id);
    expect(found?.rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(JSON.stringify(found?.rows.map(({ row }) => row))).toBe(JSON.stringify(rows));
    expect(found?.info).toMatchObject({ id: made.id, title: 'first', rows: 4 });
  });

  test('gives back whatever JSON it was given, keys in their order', async () => {
    const { id } = await records.sessions.create({ cwd: '/p' });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        const [seq] = await records.sessions.append(id, [value]);
        const found = (await records.sessions.load(id))?.rows.find((row) => row.seq === seq);
        expect(JSON.stringify(found?.row)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  test('takes all rows of an append or none', async () => {
    const { id } = await records.sessions.create({ cwd: '/p' });
    for (const bad of [undefined, () => 1, 1n, Number.NaN, new Map(), new Date()]) {
      await expect(records.sessions.append(id, ['good', bad])).rejects.toMatchObject({ code: 'records.not-json' });
    }
    const circle: unknown[] = [];
    circle.push(circle);
    await expect(records.sessions.append(id, [circle])).rejects.toMatchObject({ code: 'records.not-json' });
    expect((await records.sessions.load(id))?.rows).toEqual([]);
  });

  test('is cut back, and a position that was cut is not given again', async () => {
    const { id } = await records.sessions.create({ cwd: '/p' });
    await records.sessions.append(id, ['a', 'b', 'c', 'd']);
    expect(await records.sessions.rollbackTo(id, 2)).toBe(2);
    expect(await records.sessions.append(id, ['e'])).toEqual([5]);
    expect((await records.sessions.load(id))?.rows.map(({ seq, row }) => [seq, row])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [5, 'e'],
    ]);
    expect(await records.sessions.rollbackTo(id, 0)).toBe(3);
  });

  test('is the latest of its folder by its last write', async () => {
    const { sessions } = records;
    const one = await sessions.create({ cwd: '/p' });
    const two = await sessions.create({ cwd: '/p' });
    const other = await sessions.create({ cwd: '/q' });
    expect((await sessions.latest('/p'))?.id).toBe(two.id);
    await sessions.append(one.id, ['x']);
    expect((await sessions.latest('/p'))?.id).toBe(one.id);
    expect((await sessions.list()).map(({ id }) => id)).toEqual([one.id, other.id, two.id]);
    expect((await sessions.list({ cwd: '/p' })).map(({ id }) => id)).toEqual([one.id, two.id]);
    expect((await sessions.list({ limit: 1 })).map(({ id }) => id)).toEqual([one.id]);
    expect(await sessions.latest('/none')).toBeUndefined();
  });

  test('gets a new title', async () => {
    const { id } = await records.sessions.create({ cwd: '/p' });
    await records.sessions.setTitle(id, "it's");
    expect((await records.sessions.load(id))?.info.title).toBe("it's");
  });

  test('that does not exist is said not to', async () => {
    const { sessions } = records;
    expect(await sessions.load('none')).toBeUndefined();
    for (const use of [
      sessions.append('none', ['x']),
      sessions.rollbackTo('none', 0),
      sessions.setTitle('none', 'x'),
    ]) {
      await expect(use).rejects.toMatchObject({ code: 'records.no-session' });
    }
    await sessions.create({ id: 'mine', cwd: '/p' });
    await expect(sessions.create({ id: 'mine', cwd: '/q' })).rejects.toMatchObject({ code: 'records.session-exists' });
  });
});
