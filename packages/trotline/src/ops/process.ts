import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { OpBottom } from '@trotline/engine';
import { ensureGuardian, guard, MARK, nextMark, signalGroup } from '../supervise/process/index.ts';
import { MAX_BYTES } from './limits.ts';

const DEFAULT_TIMEOUT = 30_000;
const LONGEST_TIMEOUT = 600_000;

interface Init {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

/** Collects a stream up to the bound and says when it cut. */
function collector(): { add(chunk: Buffer): void; text(): string; cut(): boolean } {
  const chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  return {
    add: (chunk) => {
      const room = MAX_BYTES - size;
      if (chunk.length > room) cut = true;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, Math.max(room, 0));
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
    cut: () => cut,
  };
}

/** Programs run from an argument list, never through a shell; the whole process group ends with the call. */
export function processOps(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, OpBottom>> {
  return {
    'process.run': (e, { signal }) => {
      const argv = e['argv'];
      if (!Array.isArray(argv) || argv.length === 0 || !argv.every((a) => typeof a === 'string')) {
        throw new TypeError('argv is not a list of strings');
      }
      const init = (e['init'] ?? {}) as Init;
      const timeoutMs = Math.min(init.timeoutMs ?? DEFAULT_TIMEOUT, LONGEST_TIMEOUT);
      const [command, ...args] = argv as [string, ...string[]];
      return new Promise((done, fail) => {
        signal.throwIfAborted();
        ensureGuardian();
        const child = spawn(command, args, {
          cwd: resolve(cwd, init.cwd ?? '.'),
          // Marked, so that it is found even if we are killed before its group is under the guardian.
          env: { ...env, ...init.env, [MARK]: nextMark() },
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
        const release = child.pid === undefined ? undefined : guard(child.pid);
        const stopGroup = (): void => {
          if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
          release?.();
        };
        const out = collector();
        const err = collector();
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          settle();
        };
        const stop = (why: string): void => {
          stopGroup();
          end(() => fail(new Error(why)));
        };
        const onAbort = (): void => stop(`${command} was stopped: the call was abandoned`);
        const timer = setTimeout(() => stop(`${command} ran past its ${timeoutMs} ms`), timeoutMs);
        signal.addEventListener('abort', onAbort, { once: true });
        child.stdout.on('data', out.add);
        child.stderr.on('data', err.add);
        child.stdin.on('error', () => undefined);
        child.stdin.end(init.stdin ?? '');
        child.on('error', (error) => end(() => fail(new Error(`${command} cannot start: ${error.message}`))));
        child.on('close', (code) => {
          stopGroup();
          end(() =>
            done({
              exitCode: code ?? 1,
              stdout: out.text(),
              stderr: err.text(),
              isStdoutTruncated: out.cut(),
              isStderrTruncated: err.cut(),
            }),
          );
        });
      });
    },
  };
}
