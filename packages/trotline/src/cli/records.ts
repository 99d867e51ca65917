import { join } from 'node:path';
import { loadConfig } from '../config/index.ts';
import { openRecords, type Records } from '../records/index.ts';
import type { Io } from './terminal/io.ts';

/** Opens the records where the configuration keeps them, uses them, and closes them. Starts no hook. */
export async function withRecords<T>(io: Io, use: (records: Records) => Promise<T>): Promise<T> {
  const { home, merged } = await loadConfig({ cwd: io.cwd, env: io.env });
  const records = await openRecords({ dir: merged.records.dir ?? join(home, 'state'), env: io.env });
  try {
    return await use(records);
  } finally {
    await records.close();
  }
}
