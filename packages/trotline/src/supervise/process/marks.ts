import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Every process below a peer carries this in its environment, also one that left the process group. */
export const MARK = 'TROTLINE_PEER';

/** First half of all marks of this process. */
export const HOST_MARK = randomUUID();

let count = 0;

/** A mark that no other process of this machine has. */
export function nextMark(): string {
  count += 1;
  return `${HOST_MARK}.${count}`;
}

/**
 * Kills what carries the mark, wherever it went: a grandchild that called setsid is in nobody's group any more. Linux only,
 * where /proc shows environments; elsewhere only groups are killed.
 */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  // A process may fork between being read and being killed, hence until none is found.
  for (let round = 0; round < 10; round++) {
    const pids = await marked(mark);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone between the two: what was wanted.
      }
    }
  }
}

async function marked(mark: string): Promise<number[]> {
  const needle = `\0${MARK}=${mark}\0`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return `\0${environ}`.includes(needle) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
