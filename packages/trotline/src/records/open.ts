import { digestCall } from './canonical.ts';
import { createChain } from './chain.ts';
import { createDecisions, type Store } from './decisions.ts';
import { type Database, explainSqlite, openDatabase } from './driver.ts';
import { privateFile, stateDir } from './home.ts';
import { installationKey } from './key.ts';
import { createMask } from './mask.ts';
import { migrate } from './migrate.ts';
import { createSessions } from './sessions.ts';
import type { Records, RecordsOptions } from './types.ts';
import { closedError, createWriter } from './writer.ts';

/**
 * Opens the records of this installation: `trotline.db` in the state folder, made where it is missing. Throws `records.folder`,
 * `records.key`, `records.corrupt`, `records.newer`, `records.busy`, `records.no-driver`; what was there stays as it was.
 */
export async function openRecords(options: RecordsOptions = {}): Promise<Records> {
  const dir = options.dir ?? stateDir();
  const file = privateFile(dir, 'trotline.db');
  const key = installationKey(dir);
  const database = prepareDatabase(file);
  const chain = createChain(database);
  const writer = createWriter(database, file, chain.stale);
  const mask = createMask({ env: options.env ?? process.env, secrets: options.secrets ?? [] });
  let open = true;
  const store: Store = {
    database,
    file,
    writer,
    chain,
    mask,
    digest: (call) => digestCall(key, call),
    read: async (query) => {
      if (!open) throw closedError(file);
      writer.flush();
      try {
        return query();
      } catch (error) {
        throw explainSqlite(error, file);
      }
    },
  };
  return {
    file,
    decisions: createDecisions(store),
    sessions: createSessions(store),
    digest: store.digest,
    mask,
    flush: async () => writer.flush(),
    close: async () => {
      if (!open) return;
      open = false;
      writer.close();
      settle(database);
      database.close();
    },
  };
}

// libsql lets go of its file only when its statements are collected, so that the log is folded in by hand: after a close the database
// is one file that can be copied. Another process that is writing keeps it from happening, and then does it itself.
function settle(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // The write-ahead log stays beside the database and counts as before.
  }
}

function prepareDatabase(file: string): Database {
  let database: Database | undefined;
  try {
    database = openDatabase(file);
    database.exec('PRAGMA busy_timeout = 5000');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON');
    migrate(database, file);
    return database;
  } catch (error) {
    database?.close();
    throw explainSqlite(error, file);
  }
}
