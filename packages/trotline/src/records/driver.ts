import { createRequire } from 'node:module';
import { TrotlineError } from '@trotline/engine';

/** What can be bound to a statement and read from a column. */
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** Runs it and returns how many rows it changed. */
  run(...values: SqlValue[]): number;
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

/** The small part of SQLite that we use, the same over both drivers. */
export interface Database {
  readonly driver: 'node:sqlite' | 'libsql';
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface RawStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}
interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): RawStatement;
  close(): unknown;
}
type Open = new (file: string) => RawDatabase;

const require = createRequire(import.meta.url);

/** Opens a database: `node:sqlite` where Node has it, else libsql. Only one of the two is ever loaded. Throws `records.no-driver`. */
export function openDatabase(file: string, prefer: 'node:sqlite' | 'libsql' = 'node:sqlite'): Database {
  const builtin = prefer === 'node:sqlite' ? loadNodeSqlite() : undefined;
  const driver = builtin ? 'node:sqlite' : 'libsql';
  const raw = new (builtin ?? loadLibsql())(file);
  return {
    driver,
    exec: (sql) => {
      raw.exec(sql);
    },
    prepare: (sql) => {
      const statement = raw.prepare(sql);
      return {
        run: (...values) => Number(statement.run(...values.map(clean)).changes),
        get: (...values) => statement.get(...values.map(clean)) as SqlRow | undefined,
        all: (...values) => statement.all(...values.map(clean)) as SqlRow[],
      };
    },
    close: () => {
      raw.close();
    },
  };
}

/** A value as it is stored: libsql cuts a text at a NUL when it is read, so that none goes in. In JSON it is spelt with an escape anyway. */
export function clean<T extends SqlValue>(value: T): T {
  return (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value) as T;
}

// Node says at the first load that SQLite is experimental. That is ours to know and not our user's; every other warning passes.
function loadNodeSqlite(): Open | undefined {
  const emit = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return (process.getBuiltinModule('node:sqlite') as { DatabaseSync: Open } | undefined)?.DatabaseSync;
  } finally {
    process.emitWarning = emit;
  }
}

function loadLibsql(): Open {
  try {
    return require('libsql') as Open;
  } catch (cause) {
    throw new TrotlineError('records.no-driver', { what: 'No SQLite driver could be loaded', cause });
  }
}

/** SQLite's own number for what went wrong, its primary code, or 0 where the error is none of SQLite's. */
export function sqliteCode(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  const { errcode, rawCode, message } = error as { errcode?: unknown; rawCode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  if (typeof rawCode === 'number') return rawCode & 0xff;
  // libsql gives no number when opening fails; it stands at the end of its words.
  const tail = /^ConnectionFailed\(.*: (\d+)"?\)?$/s.exec(String(message));
  return tail ? Number(tail[1]) & 0xff : 0;
}

const busy = new Set([5, 6]);
const corrupt = new Set([11, 26]);

/** Turns what a driver threw into an error a person can act on. Our own errors pass unchanged. */
export function explainSqlite(error: unknown, file: string): TrotlineError {
  if (error instanceof TrotlineError) return error;
  const code = sqliteCode(error);
  const words = error instanceof Error ? error.message : String(error);
  if (busy.has(code)) {
    return new TrotlineError('records.busy', { file, what: 'The database is held by another process', cause: error });
  }
  if (corrupt.has(code)) {
    return new TrotlineError('records.corrupt', { file, what: `The database cannot be read: ${words}`, cause: error });
  }
  return new TrotlineError('records.write', { file, what: `SQLite refused: ${words}`, cause: error });
}
