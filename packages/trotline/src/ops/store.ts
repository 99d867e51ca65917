import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpBottom, Origin } from '@trotline/engine';
import { MAX_BYTES, text } from './limits.ts';

type Entries = Map<string, unknown>;

/** A file name that no owner's name can lead out of the folder. */
const fileOf = (dir: string, owner: string): string =>
  join(
    dir,
    `${owner.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)}-${createHash('sha256').update(owner).digest('hex').slice(0, 12)}.json`,
  );

async function load(file: string): Promise<Entries> {
  let raw: string;
  try {
    raw = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  return new Map(Object.entries(JSON.parse(raw) as Record<string, unknown>));
}

async function save(dir: string, file: string, entries: Entries): Promise<void> {
  const json = JSON.stringify(Object.fromEntries(entries));
  if (Buffer.byteLength(json) > MAX_BYTES) throw new Error(`the store would hold more than ${MAX_BYTES} bytes`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, json, { mode: 0o600 });
  await rename(draft, file);
}

/** A persistent record of plain data per owner, shared by all sessions on the machine; 4 MiB each. */
export function storeOps(dir: string): Readonly<Record<string, OpBottom>> {
  // Each owner's reads and writes go one after the other, so that no write is lost within this process.
  const queues = new Map<string, Promise<unknown>>();
  const inTurn = <T>(origin: Origin, act: (entries: Entries, file: string) => Promise<T> | T): Promise<T> => {
    const file = fileOf(dir, origin.plugin);
    const turn = (queues.get(file) ?? Promise.resolve()).then(async () => act(await load(file), file));
    queues.set(
      file,
      turn.catch(() => undefined),
    );
    return turn;
  };
  return {
    'store.get': (e, { origin }) => inTurn(origin, (entries) => entries.get(text(e, 'key'))),
    'store.keys': (_e, { origin }) => inTurn(origin, (entries) => [...entries.keys()]),
    'store.set': (e, { origin }) =>
      inTurn(origin, (entries, file) => {
        if (e['value'] === undefined) throw new TypeError('value is undefined; use store.delete');
        entries.set(text(e, 'key'), e['value']);
        return save(dir, file, entries);
      }),
    'store.delete': (e, { origin }) =>
      inTurn(origin, (entries, file) => (entries.delete(text(e, 'key')) ? save(dir, file, entries) : undefined)),
  };
}
