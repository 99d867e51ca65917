import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that got the same number. */
export interface Runner {
  readonly pid: number;
  /** When it began, as the system tells it; empty where the system does not. */
  readonly began: string;
}

/** The process we are in. */
export function thisRunner(): Runner {
  return { pid: process.pid, began: began(process.pid) ?? '' };
}

/** Whether that very process is still there. */
export function isRunning(runner: Runner): boolean {
  if (!Number.isSafeInteger(runner.pid) || runner.pid <= 0) return false;
  try {
    process.kill(runner.pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = began(runner.pid);
  return now === undefined || runner.began === '' || now === runner.began;
}

// Linux only: the start time in ticks since boot (field 22, counted after the name, which may hold spaces), and which boot it was.
function began(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks && `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}
