import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const GIVE_UP_MS = 10_000;

/**
 * Runs `work` while holding a lock file that other processes respect. The lock of a process that is gone is taken over.
 * @throws an `EEXIST` error when a living process holds it for ten seconds.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomUUID()}`;
  const until = Date.now() + GIVE_UP_MS;
  while (!(await take(file, mine))) {
    if (Date.now() > until) throw Object.assign(new Error(`${file} is held by another process`), { code: 'EEXIST' });
    await breakIfOrphaned(file);
    await wait(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    if ((await readFile(file, 'utf8').catch(() => '')) === mine) await rm(file, { force: true });
  }
}

/** The lock appears with its owner's name in it, never empty: a file written aside is linked to its place, which fails if that is taken. */
async function take(file: string, mine: string): Promise<boolean> {
  const aside = `${file}.${randomUUID()}`;
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(mine);
    } finally {
      await handle.close();
    }
    await link(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function breakIfOrphaned(file: string): Promise<void> {
  const owner = await readFile(file, 'utf8').catch(() => undefined);
  if (owner === undefined || isAlive(Number.parseInt(owner, 10))) return;
  // Between reading and moving it another may have broken it and taken the lock: what was moved then is put back.
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  try {
    if ((await readFile(aside, 'utf8')) !== owner) await link(aside, file).catch(() => undefined);
  } finally {
    await rm(aside, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
