import { TrotlineError } from '@trotline/engine';
import { exitText, PeerError } from './failure.ts';
import { createLineSplitter } from './lines.ts';
import { type ProcessGroup, spawnGroup } from './spawn.ts';
import type { Caller, PeerFault, PeerLimits, PeerOptions } from './types.ts';
import { createWire, type Wire } from './wire.ts';

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
  /** Last line of stderr, for messages. */
  readonly lastWords: () => string | undefined;
}

/** How long after its last call a process still holds our event loop. */
const IDLE_MS = 20;

/**
 * Starts one process and its wire, and shakes hands.
 *
 * @throws PeerError `supervise.cannot-start`, `supervise.no-guardian`
 */
export function startRun(options: PeerOptions, { limits, onStderr, onFault, lastWords }: RunHooks): Run {
  const { name } = options;
  const group = spawnGroup(options);
  /** Why it will have ended, if that is not its exit. */
  let reason: PeerError | undefined;
  readStderr(group, limits, onStderr);
  const busy = holdWhile(group);
  const wire = createWire({
    ...options,
    stdin: group.stdin,
    stdout: group.stdout,
    limits,
    onFault,
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
  const unshaken = (what: string, cause?: unknown): PeerError => {
    const words = lastWords();
    const said = words === undefined ? '' : `; its last line on stderr: ${words.slice(0, 300)}`;
    return new PeerError('start', 'supervise.handshake', { what: `${name} ${what}${said}`, cause });
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
      clock = setTimeout(() => resolve(unshaken(`did not complete its handshake within ${ms} ms`)), ms);
    });
    const ended = over.then((error) => unshaken(`ended before its handshake was done: ${error.detail.what}`, error));
    const caller: Caller = {
      call: (method, params, call) => wire.call(method, params, { timeoutMs: limits.handshakeMs, ...call }),
      notify: wire.notify,
    };
    // In a later microtask: `startPeer` has returned by then, and a synchronous throw is a rejection.
    const done = Promise.resolve()
      .then(() => shakeHands(caller))
      .then(
        () => undefined,
        (error: unknown) => unshaken(`failed its handshake: ${textOf(error)}`, error),
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

/** What went wrong, without the advice that a message ends in: it is given once. */
function textOf(error: unknown): string {
  if (error instanceof TrotlineError) return error.detail.what;
  return error instanceof Error ? error.message : String(error);
}
