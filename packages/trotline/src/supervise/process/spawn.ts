import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from './env.ts';
import { PeerError } from './failure.ts';
import { signalGroup } from './group.ts';
import { ensureGuardian, guard } from './guardian.ts';
import { killMarked, MARK, nextMark } from './marks.ts';
import { resolveProgram } from './resolve.ts';
import type { PeerLimits, PeerOptions } from './types.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process and everything below it. */
export interface ProcessGroup {
  readonly pid: number;
  /** Where it was started. */
  readonly cwd: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles once the process has ended, all it wrote has been read, and nothing of its group is left. */
  readonly gone: Promise<Exit>;
  /** Whether this group keeps our event loop alive; an idle one does not. */
  hold(on: boolean): void;
  /** stdin ends; then SIGTERM; then SIGKILL. */
  stop(limits: Pick<PeerLimits, 'stdinGraceMs' | 'termGraceMs'>): Promise<Exit>;
  /** SIGKILL at once. */
  kill(): void;
}

/** How long a pipe may stay open after everything that we know of is dead. */
const DRAIN_MS = 1000;

/**
 * Starts a program as the leader of a process group of its own, under the guardian.
 *
 * @throws PeerError `supervise.cannot-start`, `supervise.no-guardian`
 */
export function spawnGroup({
  name,
  command,
  cwd = process.cwd(),
  env,
}: Pick<PeerOptions, 'name' | 'command' | 'cwd' | 'env'>): ProcessGroup {
  if (process.platform === 'win32') {
    throw new PeerError('start', 'supervise.cannot-start', {
      what: `${name} cannot start: this system has no process groups`,
      remedy: 'Run under Linux, macOS or WSL.',
    });
  }
  const file = resolveProgram(name, command[0], cwd, (env?.from ?? process.env)['PATH']);
  ensureGuardian();
  const mark = nextMark();
  const options = { cwd, env: { ...childEnvironment(env), [MARK]: mark }, detached: true };
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  try {
    child = spawn(file, command.slice(1), { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (cause) {
    throw cannotStart(name, cause);
  }
  if (child.pid === undefined) throw failedToSpawn(name, child);
  return superviseGroup(child, child.pid, cwd, mark);
}

function cannotStart(name: string, cause: unknown): PeerError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new PeerError('start', 'supervise.cannot-start', { what: `${name} cannot start: ${text}`, cause });
}

/** Node reports a failed exec as an event, later; the process table already knows. */
function failedToSpawn(name: string, child: ChildProcessByStdio<Writable, Readable, Readable>): PeerError {
  child.on('error', () => {});
  return new PeerError('start', 'supervise.cannot-start', {
    what: `${name} cannot start: the system refused to run ${child.spawnfile}`,
    expected: 'a program, or a script whose first line names an interpreter that exists',
    remedy: 'Correct the first line of the script, or begin `command` with the interpreter.',
  });
}

function superviseGroup(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  pid: number,
  cwd: string,
  mark: string,
): ProcessGroup {
  const release = guard(pid);
  const pipes = [child.stdin, child.stdout, child.stderr];
  // EPIPE and ECONNRESET: the other end is gone, which `exit` tells as well.
  for (const pipe of pipes) pipe.on('error', () => {});
  child.on('error', () => {});
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const closed = once(child, 'close').catch(() => {});

  let ended = false;

  const bury = async (): Promise<Exit> => {
    const exit = await exited;
    ended = true;
    hold(true);
    // The leader is gone; what it left in its group has no owner, and may hold our pipes open.
    signalGroup(pid, 'SIGKILL');
    await killMarked(mark);
    const waiting = new AbortController();
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    for (const pipe of pipes) pipe.destroy();
    release();
    return exit;
  };
  const hold = (on: boolean): void => {
    if (on) child.ref();
    else child.unref();
    for (const pipe of pipes) {
      if (on) (pipe as unknown as Socket).ref();
      else (pipe as unknown as Socket).unref();
    }
  };
  const gone = bury();
  return {
    pid,
    cwd,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    gone,
    hold,
    kill: () => {
      // Once it has ended, the number may be somebody else's.
      if (!ended) signalGroup(pid, 'SIGKILL');
    },
    async stop({ stdinGraceMs, termGraceMs }) {
      hold(true);
      child.stdin.end();
      if (!(await within(exited, stdinGraceMs))) {
        signalGroup(pid, 'SIGTERM');
        if (!(await within(exited, termGraceMs))) signalGroup(pid, 'SIGKILL');
      }
      return gone;
    },
  };
}

/** Whether `promise` settles within `ms`. Leaves no timer behind. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
  const first = await Promise.race([promise, late]);
  timer.abort();
  return first !== 'late';
}
