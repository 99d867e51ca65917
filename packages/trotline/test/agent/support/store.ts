import type { SessionStore } from '../../../src/agent/loop/types.ts';

/** Sessions in memory, copied on the way in and out as a disk would. */
export function memoryStore(): SessionStore & { readonly rows: (id: string) => readonly unknown[] } {
  const sessions = new Map<string, { seq: number; row: string }[]>();
  let seq = 0;
  const of = (id: string): { seq: number; row: string }[] => {
    const rows = sessions.get(id);
    if (rows === undefined) throw new Error(`no session ${id}`);
    return rows;
  };
  return {
    async create({ id = 'made' }) {
      sessions.set(id, []);
      return { id };
    },
    async append(id, rows) {
      return rows.map((row) => {
        of(id).push({ seq: ++seq, row: JSON.stringify(row) });
        return seq;
      });
    },
    async load(id) {
      if (!sessions.has(id)) return undefined;
      return { rows: of(id).map((one) => ({ seq: one.seq, row: JSON.parse(one.row) })) };
    },
    async rollbackTo(id, last) {
      const kept = of(id).filter((one) => one.seq <= last);
      const removed = of(id).length - kept.length;
      sessions.set(id, kept);
      return removed;
    },
    rows: (id) => of(id).map(({ row }) => JSON.parse(row)),
  };
}
