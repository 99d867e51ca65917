import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { z } from 'zod';
import { withLock } from './lock.ts';
import { readBounded } from './source.ts';

const MAX_STORE_BYTES = 32 * 1024 * 1024;

const storeSchema = z.object({
  version: z.literal(1),
  projects: z.record(z.string(), z.object({ trusted_at: z.string(), files: z.record(z.string(), z.string()) })),
});

/** By path of a project's configuration file: when it was trusted, and the digest of each file that was. */
export type TrustedProjects = z.infer<typeof storeSchema>['projects'];

/** The file that holds what the person trusted. */
export const trustFile = (home: string): string => join(home, 'trust.json');

/**
 * Reads what is trusted.
 * @throws `trust.store-damaged` when the file is there but cannot be relied on.
 */
export async function readTrusted(home: string): Promise<TrustedProjects> {
  const file = trustFile(home);
  let text: string;
  try {
    text = (await readBounded(file, MAX_STORE_BYTES)).toString('utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw damaged(file, 'The list of trusted projects cannot be read', cause);
  }
  if (await writableByOthers(file)) throw damaged(file, 'The list of trusted projects can be written by other users');
  const parsed = storeSchema.safeParse(parse(text, file));
  if (!parsed.success) throw damaged(file, 'The list of trusted projects is damaged', parsed.error);
  return Object.assign(Object.create(null), parsed.data.projects);
}

/**
 * Changes what is trusted. Writers wait for each other, so that none loses another's entry, and a reader sees the old file or the new.
 * @throws `trust.store-damaged`, `trust.store-unwritable`.
 */
export async function changeTrusted<T>(home: string, change: (projects: TrustedProjects) => T): Promise<T> {
  const file = trustFile(home);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return await withLock(`${file}.lock`, async () => {
      const projects = await readTrusted(home);
      const result = change(projects);
      await replace(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
      return result;
    });
  } catch (cause) {
    if (cause instanceof TrotlineError) throw cause;
    throw new TrotlineError('trust.store-unwritable', {
      file,
      what: 'The list of trusted projects cannot be written',
      cause,
    });
  }
}

/** A new file, on disk before it takes the place of the old one. */
async function replace(file: string, text: string): Promise<void> {
  const next = `${file}.${process.pid}.${randomUUID()}`;
  try {
    const handle = await open(next, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(file, 'The list of trusted projects is damaged', cause);
  }
}

async function writableByOthers(file: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(file)).mode & 0o022) !== 0;
}

const damaged = (file: string, what: string, cause?: unknown): TrotlineError =>
  new TrotlineError('trust.store-damaged', { file, what, ...(cause === undefined ? {} : { cause }) });
