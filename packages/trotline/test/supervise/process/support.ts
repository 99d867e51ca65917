import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { type Peer, type PeerOptions, startPeer } from '../../../src/supervise/process/index.ts';

export const FAKE_HOOK = fileURLToPath(new URL('./fixtures/fake-hook.mjs', import.meta.url));

const started: Peer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((peer) => peer.stop()));
});

/** A peer running the fake hook, stopped after the test. */
export function fakePeer(modes: readonly string[] = [], options: Partial<PeerOptions> = {}): Peer {
  const peer = startPeer({
    name: 'process hook "fake"',
    command: [process.execPath, FAKE_HOOK, ...modes],
    restart: false,
    handshake: async (hello) => {
      await hello.call('hello', { version: 1 });
    },
    ...options,
    limits: { stdinGraceMs: 300, termGraceMs: 300, ...options.limits },
  });
  peer.ready.catch(() => {});
  started.push(peer);
  return peer;
}

/** Whether a process is there; a zombie is not. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits until something holds; the test's own timeout says when it never does. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
