import { TrotlineError } from '@trotline/engine';
import { canonicalJson } from './canonical.ts';
import type { Chain } from './chain.ts';
import type { Database, SqlRow, SqlValue } from './driver.ts';
import { isRunning, type Runner, thisRunner } from './runner.ts';
import type { CallState, DecisionFilter, DecisionInput, DecisionRecord, Decisions, OutcomeInput } from './types.ts';
import type { Writer } from './writer.ts';

/** What the parts of the records share. */
export interface Store {
  readonly database: Database;
  readonly file: string;
  readonly writer: Writer;
  readonly chain: Chain;
  readonly mask: (value: unknown) => unknown;
  readonly digest: (call: { readonly tool: string; readonly input: unknown }) => string;
  /** Runs a read after everything handed over was written, so that a process sees what it wrote. */
  read<T>(query: () => T): Promise<T>;
}

const select = `
  SELECT d.seq, d.id, d.at, d.session, d.tool, d.body, d.hash,
         s.at AS started_at, s.body AS started, o.at AS settled_at, o.body AS outcome
  FROM decision_log d
  LEFT JOIN decision_log s ON s.id = d.id AND s.kind = 'started'
  LEFT JOIN decision_log o ON o.id = d.id AND o.kind = 'outcome'
  WHERE d.kind = 'decision'`;

/** The decision log over a store. */
export function createDecisions(store: Store): Decisions {
  const { database, writer, chain } = store;
  const has = database.prepare('SELECT 1 AS found FROM decision_log WHERE id = ? AND kind = ?');
  const runner = thisRunner();

  const start = (id: string, at: number): void => {
    if (has.get(id, 'started')) {
      throw new TrotlineError('records.started-twice', { what: `The call ${id} was started before` });
    }
    const body = canonicalJson({ pid: runner.pid, began: runner.began });
    chain.append({ kind: 'started', id, at, session: null, tool: null, body });
  };

  const find = (where: readonly string[], values: readonly SqlValue[], limit: number): DecisionRecord[] => {
    const sql = `${[select, ...where].join(' AND ')} ORDER BY d.seq DESC LIMIT ?`;
    return database
      .prepare(sql)
      .all(...values, limit)
      .reverse()
      .map(toRecord);
  };

  return {
    decided: async (decision, options = {}) => {
      const { id, at, session, tool } = decision;
      const body = bodyOf(decision, store);
      await writer.write(() => {
        chain.append({ kind: 'decision', id, at, session: session ?? null, tool, body });
        if (options.started) start(id, at);
      });
    },
    started: (id, at = Date.now()) => writer.write(() => start(id, at)),
    settled: async (id, { at, status, ms, isError }) => {
      const body = canonicalJson({ status, ms, isError });
      await writer.write(() => {
        if (has.get(id, 'outcome')) {
          throw new TrotlineError('records.settled-twice', { what: `The call ${id} was settled before` });
        }
        chain.append({ kind: 'outcome', id, at, session: null, tool: null, body });
      });
    },
    get: (id) => store.read(() => find(['d.id = ?'], [id], 1)[0]),
    find: (filter = {}) =>
      store.read(() => {
        const { where, values } = conditions(filter);
        return find(where, values, clampLimit(filter.limit, 100));
      }),
    unknown: (filter = {}) =>
      store.read(() => {
        const { where, values } = conditions(filter);
        // The newest decision of an id is the one that let it start.
        where.push(
          'd.id IN (SELECT id FROM unsettled)',
          "d.seq = (SELECT max(seq) FROM decision_log WHERE id = d.id AND kind = 'decision')",
        );
        const limit = clampLimit(filter.limit, 100);
        return find(where, values, 10_000)
          .filter(({ state }) => state === 'unknown')
          .slice(-limit);
      }),
  };
}

/** A limit a caller may have got from anywhere, kept between 1 and 10,000. */
export function clampLimit(limit: number | undefined, otherwise: number): number {
  return Number.isFinite(limit) ? Math.min(10_000, Math.max(1, Math.trunc(limit as number))) : otherwise;
}

function bodyOf(decision: DecisionInput, { mask, digest }: Store): string {
  const { tool, toolUseId, agentId, input, source, reason } = decision;
  const { kind, name, rule, place } = source;
  const said = mask({ input, reason, source: { name, rule, place } }) as Record<string, object>;
  return canonicalJson({
    ...said,
    source: { ...said['source'], kind },
    toolUseId,
    agentId,
    decision: decision.decision,
    digest: digest({ tool, input }),
  });
}

function conditions(filter: DecisionFilter): { where: string[]; values: SqlValue[] } {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (sql: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    where.push(sql);
    values.push(value);
  };
  add('d.session = ?', filter.session);
  add('d.tool = ?', filter.tool);
  add("json_extract(d.body, '$.toolUseId') = ?", filter.toolUseId);
  add("json_extract(d.body, '$.decision') = ?", filter.decision);
  add('d.at >= ?', filter.since);
  return { where, values };
}

type Stored = Pick<DecisionRecord, 'toolUseId' | 'agentId' | 'input' | 'decision' | 'source' | 'reason' | 'digest'>;

function toRecord(row: SqlRow): DecisionRecord {
  const stored = JSON.parse(String(row['body'])) as Stored;
  const ran = stored.decision === 'allow' || stored.decision === 'answered';
  const startedAt = ran && row['started_at'] !== null ? Number(row['started_at']) : undefined;
  const outcome =
    ran && row['outcome'] !== null
      ? { ...(JSON.parse(String(row['outcome'])) as Omit<OutcomeInput, 'at'>), at: Number(row['settled_at']) }
      : undefined;
  return {
    ...stored,
    seq: Number(row['seq']),
    id: String(row['id']),
    at: Number(row['at']),
    ...(row['session'] === null ? {} : { session: String(row['session']) }),
    tool: String(row['tool']),
    hash: String(row['hash']),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(outcome ? { outcome } : {}),
    state: outcome?.status ?? stateOf(startedAt === undefined ? undefined : String(row['started'])),
  };
}

function stateOf(started: string | undefined): CallState {
  if (started === undefined) return 'open';
  return isRunning(JSON.parse(started) as Runner) ? 'running' : 'unknown';
}
