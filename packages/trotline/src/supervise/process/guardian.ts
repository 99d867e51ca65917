import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { PeerError } from './failure.ts';
import { signalGroup } from './group.ts';
import { HOST_MARK, MARK } from './marks.ts';

/**
 * One small `sh` per host process, started with the first peer and gone with the last. It holds the reading end of a pipe
 * whose only writer is us: when we end, in whatever way, `kill -9` included, it reads the end of file and ends every group
 * it was told of, and on Linux everything that carries our mark. In a session of its own, so that neither Ctrl-C nor a
 * hang-up of the terminal reaches it first.
 *
 * Because of it no handler for SIGINT, SIGTERM or SIGHUP is installed: such a handler would take Node's default away from
 * the application, or the application's from us.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
groups=
while read -r what group; do
  case $what in
    +) groups="$groups $group" ;;
    -) rest=
       for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
       groups=$rest ;;
    bye) exit 0 ;;
  esac
done
for g in $groups; do kill -s TERM -- "-$g"; done
for nap in 1 2 3 4 5; do
  alive=
  for g in $groups; do kill -s 0 -- "-$g" && alive=1; done
  [ -n "$alive" ] || break
  sleep 0.1
done
for g in $groups; do kill -s KILL -- "-$g"; done
[ -d /proc/1 ] || exit 0
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lzsE "^$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -s KILL "\${pid%/environ}"; done
done
`;

const guarded = new Set<number>();
let guardian: ChildProcess | undefined;
let onExitInstalled = false;

/**
 * Starts the guardian if it is not running. To be called before a process is spawned, so that none is ever unguarded.
 * Where there are no process groups there is none.
 *
 * @throws PeerError `supervise.no-guardian`
 */
export function ensureGuardian(): void {
  if (guardian !== undefined || process.platform === 'win32') return;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'trotline-guardian', `${MARK}=${HOST_MARK}[.]`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  if (child.pid === undefined) {
    throw new PeerError('start', 'supervise.no-guardian', { what: 'The guardian of hook processes cannot start' });
  }
  child.unref();
  (child.stdin as Socket).unref();
  child.on('exit', () => {
    if (guardian !== child) return;
    guardian = undefined;
    // Somebody killed it. Whoever is still guarded needs another.
    if (guarded.size > 0) setTimeout(replaceGuardian, 250).unref();
  });
  guardian = child;
  if (!onExitInstalled) {
    onExitInstalled = true;
    process.on('exit', () => {
      for (const pgid of guarded) signalGroup(pgid, 'SIGTERM');
    });
  }
}

function replaceGuardian(): void {
  if (guarded.size === 0 || guardian !== undefined) return;
  try {
    ensureGuardian();
    for (const pgid of guarded) tell(`+ ${pgid}`);
  } catch {
    setTimeout(replaceGuardian, 1000).unref();
  }
}

/** Puts a process group under the guardian. Call what is returned once nothing of the group is left. */
export function guard(pgid: number): () => void {
  guarded.add(pgid);
  tell(`+ ${pgid}`);
  return () => {
    if (!guarded.delete(pgid)) return;
    tell(`- ${pgid}`);
    if (guarded.size > 0 || guardian === undefined) return;
    const done = guardian;
    guardian = undefined;
    // Without this word it would take the end of file for our death, and end what starts next.
    done.stdin?.end('bye\n');
  };
}

function tell(line: string): void {
  guardian?.stdin?.write(`${line}\n`);
}
