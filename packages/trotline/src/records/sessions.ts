import { randomUUID } from 'node:crypto';
import { TrotlineError } from '@trotline/engine';
import { canonicalJson } from './canonical.ts';
import { clampLimit, type Store } from './decisions.ts';
import type { SqlRow } from './driver.ts';
import type { SessionInfo, Sessions } from './types.ts';

const select = `SELECT s.*, (SELECT count(*) FROM session_rows r WHERE r.session_id = s.id) AS rows FROM sessions s`;

/** Sessions over a store. `touched` counts writes, because two of them can fall into one millisecond. */
export function createSessions({ database, writer, read }: Store): Sessions {
  const byId = database.prepare(`${select} WHERE s.id = ?`);
  const insert = database.prepare(`
    INSERT INTO sessions (id, cwd, title, created_at, updated_at, touched, next_seq, meta)
    VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM sessions), 1, ?)`);
  const next = database.prepare('SELECT next_seq FROM sessions WHERE id = ?');
  const touch = database.prepare(`
    UPDATE sessions SET next_seq = ?, updated_at = ?, touched = (SELECT max(touched) + 1 FROM sessions) WHERE id = ?`);
  const insertRow = database.prepare('INSERT INTO session_rows (session_id, seq, at, row) VALUES (?, ?, ?, ?)');
  const rowsOf = database.prepare('SELECT seq, at, row FROM session_rows WHERE session_id = ? ORDER BY seq');
  const cut = database.prepare('DELETE FROM session_rows WHERE session_id = ? AND seq > ?');
  const retitle = database.prepare('UPDATE sessions SET title = ? WHERE id = ?');

  const nextSeq = (id: string): number => {
    const found = next.get(id);
    if (!found) throw noSession(id);
    return Number(found['next_seq']);
  };

  return {
    create: async ({ id = randomUUID(), cwd, title = '', meta = {} }) => {
      const text = exactJson(meta);
      const at = Date.now();
      return await writer.write(() => {
        if (next.get(id)) {
          throw new TrotlineError('records.session-exists', { what: `There is a session ${id} already` });
        }
        insert.run(id, cwd, title, at, at, text);
        return toInfo(byId.get(id)!);
      });
    },
    append: async (id, rows) => {
      const texts = rows.map(exactJson);
      const at = Date.now();
      return await writer.write(() => {
        const first = nextSeq(id);
        const seqs = texts.map((text, index) => {
          insertRow.run(id, first + index, at, text);
          return first + index;
        });
        touch.run(first + texts.length, at, id);
        return seqs;
      });
    },
    load: (id) =>
      read(() => {
        const info = byId.get(id);
        if (!info) return undefined;
        const rows = rowsOf.all(id).map(({ seq, at, row }) => ({
          seq: Number(seq),
          at: Number(at),
          row: JSON.parse(String(row)) as unknown,
        }));
        return { info: toInfo(info), rows };
      }),
    latest: (cwd) =>
      read(() => {
        const found = database.prepare(`${select} WHERE s.cwd = ? ORDER BY s.touched DESC LIMIT 1`).get(cwd);
        return found && toInfo(found);
      }),
    list: ({ cwd, limit } = {}) =>
      read(() => {
        const where = cwd === undefined ? '' : 'WHERE s.cwd = ?';
        const values = cwd === undefined ? [] : [cwd];
        return database
          .prepare(`${select} ${where} ORDER BY s.touched DESC LIMIT ?`)
          .all(...values, clampLimit(limit, 50))
          .map(toInfo);
      }),
    rollbackTo: (id, seq) =>
      writer.write(() => {
        const upcoming = nextSeq(id);
        const removed = cut.run(id, seq);
        touch.run(upcoming, Date.now(), id);
        return removed;
      }),
    setTitle: (id, title) =>
      writer.write(() => {
        nextSeq(id);
        retitle.run(title, id);
      }),
  };
}

// Stored as JavaScript writes it, so that the order of keys comes back too; the canonical spelling only proves that nothing is lost.
function exactJson(value: unknown): string {
  canonicalJson(value);
  return JSON.stringify(value);
}

function noSession(id: string): TrotlineError {
  return new TrotlineError('records.no-session', { what: `There is no session ${id}` });
}

function toInfo(row: SqlRow): SessionInfo {
  return {
    id: String(row['id']),
    cwd: String(row['cwd']),
    title: String(row['title']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    rows: Number(row['rows']),
    meta: JSON.parse(String(row['meta'])) as Readonly<Record<string, unknown>>,
  };
}
