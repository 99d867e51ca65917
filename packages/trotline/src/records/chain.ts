import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import { clean, type Database } from './driver.ts';

/** One row of the decision log without its hashes. `body` is canonical JSON. */
export interface LogRow {
  readonly kind: 'decision' | 'started' | 'outcome';
  readonly id: string;
  readonly at: number;
  readonly session: string | null;
  readonly tool: string | null;
  readonly body: string;
}

/** The hash of a row: SHA-256 over the hash of the row before and every column, in hex. */
export function rowHash(previous: string, seq: number, row: LogRow): string {
  const { kind, at, body } = row;
  // The hash is of what is stored, for whoever checks it has nothing else.
  const [id, session, tool] = [row.id, row.session, row.tool].map(clean);
  return createHash('sha256')
    .update(`${previous}\n${canonicalJson({ seq, kind, id, at, session, tool, body })}`)
    .digest('hex');
}

/** Adds rows at the end of the log. */
export interface Chain {
  /** Only inside a write transaction: that alone keeps two processes from continuing the same row. */
  append(row: LogRow): void;
  /** Forgets the head it knows, because another process or a rollback may have moved it. */
  stale(): void;
}

/** The chain of a database. Within one transaction the head is read once. */
export function createChain(database: Database): Chain {
  const last = database.prepare('SELECT seq, hash FROM decision_log ORDER BY seq DESC LIMIT 1');
  const insert = database.prepare(
    'INSERT INTO decision_log (seq, kind, id, at, session, tool, body, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  let head: { readonly seq: number; readonly hash: string } | undefined;
  return {
    append: (row) => {
      if (!head) {
        const found = last.get();
        head = found ? { seq: Number(found['seq']), hash: String(found['hash']) } : { seq: 0, hash: '' };
      }
      const seq = head.seq + 1;
      const hash = rowHash(head.hash, seq, row);
      insert.run(seq, row.kind, row.id, row.at, row.session, row.tool, row.body, head.hash, hash);
      head = { seq, hash };
    },
    stale: () => {
      head = undefined;
    },
  };
}
