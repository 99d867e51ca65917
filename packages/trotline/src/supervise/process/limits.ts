import type { PeerLimits, RestartPolicy } from './types.ts';

export const DEFAULT_LIMITS: PeerLimits = {
  maxLineBytes: 1024 * 1024,
  maxStderrLineBytes: 8 * 1024,
  stderrLines: 200,
  maxQueuedBytes: 64 * 1024 * 1024,
  maxQueuedNotices: 256,
  maxNoise: 1000,
  handshakeMs: 30_000,
  callMs: 60_000,
  stdinGraceMs: 2000,
  termGraceMs: 500,
};

export const DEFAULT_RESTART: RestartPolicy = {
  firstDelayMs: 250,
  maxDelayMs: 30_000,
  maxExits: 5,
  windowMs: 60_000,
};

/** The defaults with whatever is given and not `undefined` on top. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T> | undefined): T {
  if (given === undefined) return defaults;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
