import { TrotlineError } from '@trotline/engine';
import type { Database } from './driver.ts';
import { migrations as all, type Migration } from './migrations.ts';

/**
 * Brings a database up to the last step we know, in one transaction, so that two processes that start at once do it once. Throws
 * `records.newer` before anything is touched.
 */
export function migrate(database: Database, file: string, migrations: readonly Migration[] = all): void {
  const known = migrations.at(-1)?.version ?? 0;
  if (currentVersion(database, file, known) === known) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL)',
    );
    const current = currentVersion(database, file, known);
    const applied = database.prepare('INSERT INTO migrations (version, name, at) VALUES (?, ?, ?)');
    for (const { version, name, sql } of migrations) {
      if (version <= current) continue;
      database.exec(sql);
      applied.run(version, name, Date.now());
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function currentVersion(database: Database, file: string, known: number): number {
  const table = database.prepare("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  if (!table.get()) return 0;
  const version = Number(database.prepare('SELECT max(version) AS version FROM migrations').get()?.['version'] ?? 0);
  if (version > known) {
    throw new TrotlineError('records.newer', {
      file,
      what: `The database is at step ${version} and this version of trotline knows steps up to ${known}`,
    });
  }
  return version;
}
