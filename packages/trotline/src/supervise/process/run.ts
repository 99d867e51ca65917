import { TrotlineError } from '@trotline/engine';
import { exitText, PeerError } from './failure.ts';
import { createLineSplitter } from './lines.ts';
import { createRing } from './ring.ts';
import { type ProcessGroup, spawnGroup } from './spawn.ts';
import { byHand, missingScript, whereCommandsStart } from './start.ts';
import type { Caller, PeerFault, PeerLimits, PeerOptions } from './types.ts';
import { createWire, type Wire } from './wire.ts';
import { escaped, lastWords } from './words.ts';

/** One process from its spawn to its end; a peer has one after the other. */
export interface Run {
  readonly group: ProcessGroup;
  readonly wire: Wire;
  /** `undefined`: the handshake is done. Otherwise why not, and nothing of the process is left. */
  readonly shaken: Promise<PeerError | undefined>;
  /** Why it ended; whatever waited for it has failed with the same. */
  readonly over: Promise<PeerError>;
  /** Stages of a wanted end. `why`: what waiting calls fail with. */
  stop(why: PeerError): Promise<void>;
}

export interface RunHooks {
  readonly limits: PeerLimits;
  readonly onStderr: (line: string) => void;
  readonly onFault: (fault: PeerFault) => void;
}

/** How long after its last call a process still holds our event loop. */
const IDLE_MS = 20;
/** Lines of stderr among which the cause of a failed start is looked for. */
const STDERR_LINES = 64;

/**
 * Starts one process and its wire, and shakes hands.
 *
 * @throws PeerError `supervise.cannot-start`, `supervise.no-guardian`
 */
export function startRun(options: PeerOptions, { limits, onStderr, onFault }: RunHooks): Run {
  const { name } = options;
  const group = spawnGroup(options);
  /** Why it will have ended, if that is not its exit. */
  let reason: PeerError | undefined;
  const stderr = createRing(STDERR_LINES);
  readStderr(group, limits, (line) => {
    stderr.push(line);
    onStderr(line);
  });
  let noise = 0;
  const busy = holdWhile(group);
  const wire = createWire({
    ...options,
    stdin: group.stdin,
    stdout: group.stdout,
    limits,
    onFault(fault) {
      if (fault.code === 'supervise.noise') noise += 1;
      onFault(fault);
    },
    onHopeless(error) {
      reason ??= error;
      group.kill();
    },
    onBusy: busy,
  });
  const over = group.gone.then(({ code, signal }) => {
    const error = reason ?? new PeerError('crash', 'supervise.exited', { what: `${name} ${exitText(code, signal)}` });
    wire.close(error);
    return error;
  });
  /** What went wrong, without the advice that a message ends in, which is given once, and the name, likewise. */
  const textOf = (error: unknown): string => {
    const text =
      error instanceof TrotlineError ? error.detail.what : error instanceof Error ? error.message : String(error);
    return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
  };

  const unshaken = (what: string, cause: unknown, remedy?: string): PeerError => {
    const words = lastWords(stderr.lines());
    const said = words === '' ? '' : `; on stderr: ${words}`;
    const detail = { what: `${name} ${what}${said}`, cause, ...(remedy === undefined ? {} : { remedy }) };
    return new PeerError('start', 'supervise.handshake', detail);
  };
  /** It ended before it had answered: whatever it wants flushed, that is not why. */
  const endedEarly = (error: PeerError): PeerError => {
    if (error.code !== 'supervise.exited') return unshaken(textOf(error), error, error.detail.remedy);
    const how = textOf(error);
    const missing = missingScript(options.command, group.cwd);
    if (missing === undefined) return unshaken(`${how} before its handshake was done`, error, byHand);
    return unshaken(
      `${how} at its start: ${escaped(missing)} does not exist in ${group.cwd}`,
      error,
      whereCommandsStart,
    );
  };

  const shake = async (): Promise<PeerError | undefined> => {
    const problem = await handshake();
    if (problem === undefined) {
      busy(false);
      return undefined;
    }
    // Otherwise its end is under way already.
    if (reason === undefined) {
      reason = problem;
      group.kill();
    }
    await over;
    return problem;
  };
  const handshake = async (): Promise<PeerError | undefined> => {
    const { handshake: shakeHands } = options;
    if (shakeHands === undefined) return undefined;
    let clock: NodeJS.Timeout | undefined;
    const late = new Promise<PeerError>((resolve) => {
      const ms = limits.handshakeMs;
      clock = setTimeout(() => {
        const printed = noise === 0 ? '' : `; meanwhile it printed ${noise} unreadable line(s) on stdout`;
        resolve(unshaken(`did not complete its handshake within ${ms} ms${printed}`, undefined));
      }, ms);
    });
    const ended = over.then(endedEarly);
    const caller: Caller = {
      call: (method, params, call) => wire.call(method, params, { timeoutMs: limits.handshakeMs, ...call }),
      notify: wire.notify,
    };
    // In a later microtask: `startPeer` has returned by then, and a synchronous throw is a rejection.
    const done = Promise.resolve()
      .then(() => shakeHands(caller))
      .then(
        () => undefined,
        (error: unknown) =>
          error instanceof PeerError && error.code === 'supervise.exited'
            ? endedEarly(error)
            : unshaken(`failed its handshake: ${textOf(error)}`, error, remedyOf(error)),
      );
    const outcome = await Promise.race([ended, late, done]);
    clearTimeout(clock);
    return outcome;
  };

  return {
    group,
    wire,
    over,
    shaken: shake(),
    async stop(why) {
      reason ??= why;
      wire.close(why);
      await group.stop(limits);
    },
  };
}

/**
 * Holds the event loop while calls wait, and lets it go a moment after the last: a hold costs as much as a call, and calls
 * come in rows.
 */
function holdWhile(group: ProcessGroup): (busy: boolean) => void {
  let held = true;
  let busy = false;
  let scheduled = false;
  const release = (): void => {
    scheduled = false;
    if (busy) return;
    held = false;
    group.hold(false);
  };
  return (now) => {
    busy = now;
    if (now && !held) {
      held = true;
      group.hold(true);
    } else if (!now && !scheduled) {
      scheduled = true;
      setTimeout(release, IDLE_MS).unref();
    }
  };
}

function readStderr(group: ProcessGroup, limits: PeerLimits, onStderr: (line: string) => void): void {
  const splitter = createLineSplitter({
    maxBytes: limits.maxStderrLineBytes,
    keepBytes: limits.maxStderrLineBytes,
    onLine: (line) => onStderr(line.toString('utf8')),
    onOversized: ({ head, bytes }) => onStderr(`${head.toString('utf8')} … (${bytes} bytes)`),
  });
  group.stderr.on('data', (chunk: Buffer) => splitter.push(chunk));
  group.stderr.on('end', () => splitter.end());
}

/** What there is to do about a handshake that failed in its own way. The rest is answered by the table's remedy. */
function remedyOf(error: unknown): string | undefined {
  return error instanceof PeerError && error.code !== 'supervise.timeout' ? error.detail.remedy : undefined;
}
