import { join } from 'node:path';
import { type Engine, type Observer, type OwnerRegistrar, placeText, TrotlineError } from '@trotline/engine';
import { picoclawHookPoints } from '../../config/index.ts';
import {
  openLogFile,
  type Peer,
  type PeerError,
  type PeerHealth,
  type PeerState,
  startPeer,
} from '../../supervise/process/index.ts';
import { seatAfterLlm } from './after-llm.ts';
import { seatAfterTool } from './after-tool.ts';
import { seatApproveTool } from './approve-tool.ts';
import { seatBeforeLlm } from './before-llm.ts';
import { seatBeforeTool } from './before-tool.ts';
import { hello, type WireDialect } from './hello.ts';
import type { LinkContext } from './link.ts';
import { trackTurns } from './meta.ts';
import { type Observing, observingOf } from './observe.ts';
import { observeFor } from './observers.ts';
import { withoutName } from './texts.ts';
import type { PicoclawOptions, ProcessHealth, ProcessSpec } from './types.ts';

/** A process hook that is running and does not stand on a line yet. */
export interface PreparedProcess {
  readonly hook: ProcessSpec;
  health(): ProcessHealth;
  /** Seats its links. Once. */
  seat(engine: Engine): InstalledProcess;
  /** Stops it. For one that is not wanted after all. */
  discard(): Promise<void>;
}

export interface InstalledProcess {
  health(): ProcessHealth;
  /** Takes its links off the line and stops the process. Idempotent. */
  close(): Promise<void>;
}

export interface InstalledProcesses {
  health(): readonly ProcessHealth[];
  close(): Promise<void>;
}

const points: readonly (readonly [string, (context: LinkContext) => void])[] = [
  ['before_llm', seatBeforeLlm],
  ['after_llm', seatAfterLlm],
  ['before_tool', seatBeforeTool],
  ['after_tool', seatAfterTool],
  ['approve_tool', seatApproveTool],
];

/**
 * Starts one entry of `hooks.processes` and shakes hands with it, without seating anything: a set of hooks can be staged
 * whole before anything of the old one goes.
 *
 * @throws TrotlineError `picoclaw.unsupported-event`, `picoclaw.unsupported-point`, `picoclaw.no-modes`
 * @throws PeerError `supervise.cannot-start`, `supervise.handshake`; with `keepGoing` it goes on trying instead
 */
export async function preparePicoclawProcess(
  hook: ProcessSpec,
  options: PicoclawOptions = {},
): Promise<PreparedProcess> {
  const observing = observingOf(hook);
  checkPoints(hook, observing);
  const logFile =
    options.logDir === undefined ? undefined : join(options.logDir, `${encodeURIComponent(hook.name)}.log`);
  const log = logFile === undefined ? undefined : openLogFile(logFile);
  let dialect: WireDialect | undefined;
  let engine: Engine | undefined;
  const peer = startPeer({
    name: `process hook "${hook.name}"`,
    command: hook.command,
    cwd: hook.dir,
    env: {
      set: hook.env,
      ...(options.env === undefined ? {} : { from: options.env }),
      ...(hook.envAllow === undefined ? {} : { inherit: hook.envAllow }),
    },
    limits: { handshakeMs: hook.timeouts.handshakeMs },
    restart: hook.restart.enabled
      ? { maxExits: hook.restart.max, windowMs: hook.restart.windowMs, firstDelayMs: hook.restart.backoffMs }
      : false,
    handshake: async (caller) => {
      dialect = await hello(caller, hook, observing);
    },
    onStderr: (line) => log?.write(line),
    onFault: ({ code, detail }) => log?.write(`[trotline] ${code}: ${detail}`),
    onState: (state, cause) => {
      if (cause !== undefined) {
        log?.write(`[trotline] ${cause.message}`);
        noticeEnd(engine, hook.name, state, cause);
      } else if (state === 'ready')
        engine?.notice('hook.restarted', { owner: hook.name, attempt: peer.health().restarts });
    },
  });
  const stop = async (): Promise<void> => {
    await peer.stop();
    await log?.close();
  };
  const health = (): ProcessHealth => {
    const now = peer.health();
    return {
      ...now,
      ...shownHealth(hook.name, now),
      name: hook.name,
      dialect,
      ...(logFile === undefined ? {} : { logFile }),
    };
  };
  try {
    await peer.ready;
  } catch (error) {
    if (options.keepGoing !== true) {
      await stop();
      throw error;
    }
  }
  return {
    hook,
    health,
    discard: stop,
    seat(target) {
      engine = target;
      const { state, lastError } = peer.health();
      if (state !== 'ready' && lastError !== undefined) noticeEnd(engine, hook.name, state, lastError);
      return {
        health,
        close: seatAll(
          target,
          hook,
          peer,
          observing,
          () => dialect ?? 'upstream',
          stop,
          () => health().health !== 'ok',
        ),
      };
    },
  };
}

const standings: Record<Exclude<PeerState, 'ready'>, Pick<ProcessHealth, 'health'> & { readonly how: string }> = {
  starting: { health: 'failing', how: 'is starting' },
  waiting: { health: 'failing', how: 'ended and is about to be started again' },
  tripped: { health: 'down', how: 'ended too often and stays down' },
  failed: { health: 'down', how: 'is down and is not started again' },
  stopping: { health: 'down', how: 'is being stopped' },
  stopped: { health: 'down', how: 'was stopped' },
};

/** How a process stands, whether or not it was called since: its links know only of their own calls. */
function shownHealth(name: string, { state, lastError }: PeerHealth): Pick<ProcessHealth, 'health' | 'problem'> {
  if (state === 'ready') return { health: 'ok' };
  const { health, how } = standings[state];
  return { health, problem: lastError === undefined ? how : `${how}: ${withoutName(name, lastError.detail.what)}` };
}

/** Its end, as a fact for everybody: it will be back, or it will not. */
function noticeEnd(engine: Engine | undefined, owner: string, state: PeerState, cause: PeerError): void {
  const { failureClass, code } = cause;
  const message = withoutName(owner, cause.detail.what);
  if (state === 'waiting') engine?.notice('hook.failed', { owner, class: failureClass, code, message });
  else engine?.notice('hook.down', { owner, reason: message });
}

/** Seats every link of a hook; what is returned takes them off and stops the process. */
function seatAll(
  engine: Engine,
  hook: ProcessSpec,
  peer: Peer,
  observing: Observing,
  dialect: () => WireDialect,
  stop: () => Promise<void>,
  isDown: () => boolean,
): () => Promise<void> {
  const owner = engine.owner({
    name: hook.name,
    tier: hook.layer === 'managed' ? 'prepend' : 'user',
    source: hook.layer === 'project' ? 'project' : 'person',
    lane: 'process',
    realm: 'process',
    place: placeText(hook.place),
    isDown,
  });
  const context: LinkContext = { hook, peer, owner, track: trackTurns(engine) };
  for (const [point, seatPoint] of points) if (hook.intercept.includes(point)) seatPoint(context);
  const observer = observeFor(engine, peer, observing, dialect);
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= takeOff(owner, [observer, context.track.close], stop);
    return closing;
  };
}

async function takeOff(
  owner: OwnerRegistrar,
  observers: readonly (Observer | (() => void) | undefined)[],
  stop: () => Promise<void>,
): Promise<void> {
  owner.remove();
  for (const remove of observers) remove?.();
  await stop();
}

function checkPoints({ name, intercept, place }: ProcessSpec, observing: Observing): void {
  const unknown = intercept.find((point) => !picoclawHookPoints.includes(point));
  if (unknown !== undefined) {
    const what = `configure process hook "${name}": unsupported intercept "${unknown}"`;
    throw new TrotlineError('picoclaw.unsupported-point', { ...place, what });
  }
  if (intercept.length === 0 && observing.kinds.length === 0) {
    throw new TrotlineError('picoclaw.no-modes', {
      ...place,
      what: `configure process hook "${name}": no hook modes enabled`,
    });
  }
}

/**
 * Whether a hook is there to stop things: it approves tools, or its failures must block. When one cannot start, what it
 * guards must be denied, not let through.
 */
export function isGuard({ intercept, onError }: Pick<ProcessSpec, 'intercept' | 'onError'>): boolean {
  if (onError !== undefined) return onError !== 'open';
  return intercept.includes('approve_tool');
}

/**
 * Starts the given entries side by side and seats them all. If one cannot start, all are stopped and the first failure is
 * thrown, unless `keepGoing`.
 *
 * @throws as {@link preparePicoclawProcess}
 */
export async function installPicoclawProcesses(
  engine: Engine,
  { processes, ...options }: PicoclawOptions & { readonly processes: readonly ProcessSpec[] },
): Promise<InstalledProcesses> {
  const settled = await Promise.allSettled(processes.map((hook) => preparePicoclawProcess(hook, options)));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(settled.map((one) => (one.status === 'fulfilled' ? one.value.discard() : undefined)));
    throw failed.reason;
  }
  const installed = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.seat(engine)] : []));
  return {
    health: () => installed.map((one) => one.health()),
    close: async () => {
      await Promise.all(installed.map((one) => one.close()));
    },
  };
}
