import { afterEach, describe, expect, it } from 'vitest';
import type { PeerState } from '../../../src/supervise/process/index.ts';
import { alive, fakePeer, until } from './support.ts';

const strays: number[] = [];

/** A process that a test must not leave behind even if it fails. */
const track = (pid: unknown): number => {
  strays.push(pid as number);
  return pid as number;
};

afterEach(() => {
  for (const pid of strays.splice(0)) if (alive(pid)) process.kill(pid, 'SIGKILL');
});

const quick = { limits: { stdinGraceMs: 150, termGraceMs: 150 } };

describe('stop', () => {
  it('ends stdin first: a process that minds it ends by itself', async () => {
    const states: PeerState[] = [];
    const peer = fakePeer([], { onState: (state) => states.push(state) });
    await peer.ready;
    const pid = track(peer.pid);
    await peer.stop();
    expect(alive(pid)).toBe(false);
    expect(states).toEqual(['starting', 'ready', 'stopping', 'stopped']);
  });

  it.each([['ignore-eof'], ['ignore-eof', 'ignore-term'], ['deaf', 'ignore-term']])(
    'ends a process that would not (%s %s)',
    async (...modes) => {
      const peer = fakePeer(modes, { ...quick, handshake: async () => {} });
      await peer.ready;
      const pid = track(peer.pid);
      await peer.stop();
      expect(alive(pid)).toBe(false);
    },
  );

  it('takes grandchildren along, that ignore SIGTERM and hold stdout, also those that left the group', async () => {
    const peer = fakePeer(['ignore-eof'], quick);
    const below = [track(await peer.call('grandchild'))];
    if (process.platform === 'linux') below.push(track(await peer.call('escaped-grandchild')));
    expect(below.every(alive)).toBe(true);
    await peer.stop();
    await until(() => !below.some(alive));
  });

  it('fails what waits, and what is called afterwards', async () => {
    const peer = fakePeer();
    await peer.ready;
    const waiting = peer.call('never').catch((error: unknown) => error);
    await peer.stop();
    expect(await waiting).toMatchObject({ code: 'supervise.stopped' });
    await expect(peer.call('echo')).rejects.toMatchObject({ code: 'supervise.stopped' });
  });

  it('may be called twice, and while the process starts', async () => {
    const peer = fakePeer(['mute', 'ignore-eof'], quick);
    await until(() => peer.pid !== undefined);
    const pid = track(peer.pid);
    await Promise.all([peer.stop(), peer.stop()]);
    expect(alive(pid)).toBe(false);
    expect(peer.state).toBe('stopped');
  });
});

describe('an end that nobody asked for', () => {
  it('ends what the process had started', async () => {
    const peer = fakePeer();
    const below = [track(await peer.call('grandchild'))];
    if (process.platform === 'linux') below.push(track(await peer.call('escaped-grandchild')));
    await peer.call('exit', { code: 1 }).catch(() => {});
    await until(() => !below.some(alive));
  });

  it('is followed by a new start, handshake included', async () => {
    const states: PeerState[] = [];
    const peer = fakePeer([], { restart: { firstDelayMs: 10 }, onState: (state) => states.push(state) });
    await peer.ready;
    const first = peer.pid;
    await peer.call('exit', { code: 1 }).catch(() => {});
    await until(() => states.filter((state) => state === 'ready').length === 2);
    expect(await peer.call('echo', { back: true })).toEqual({ back: true });
    expect(peer.pid).not.toBe(first);
    expect(peer.health().restarts).toBe(1);
    expect(states).toEqual(['starting', 'ready', 'waiting', 'starting', 'ready']);
  });

  it('that repeats too often trips the breaker, until somebody says otherwise', async () => {
    const peer = fakePeer(['exit-at-start'], { restart: { firstDelayMs: 1, maxExits: 3 } });
    await until(() => peer.state === 'tripped');
    expect(peer.health().restarts).toBe(2);
    await expect(peer.call('echo')).rejects.toMatchObject({ code: 'supervise.down', failureClass: 'crash' });
    peer.restart();
    expect(peer.state).toBe('starting');
    await until(() => peer.state === 'tripped');
    expect(peer.health().restarts).toBe(5);
  });

  it('while a new start waits does not outlive stop', async () => {
    const peer = fakePeer([], { restart: { firstDelayMs: 20 } });
    await peer.ready;
    await peer.call('exit', { code: 1 }).catch(() => {});
    await until(() => peer.state === 'waiting');
    await peer.stop();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([peer.state, peer.pid, peer.health().restarts]).toEqual(['stopped', undefined, 0]);
  });
});

it('a callback that throws harms nobody', async () => {
  const peer = fakePeer([], {
    onState: () => {
      throw new Error('in onState');
    },
    onNotification: () => {
      throw new Error('in onNotification');
    },
  });
  expect(await peer.call('tell')).toBe('ok');
  expect(peer.health().faults['supervise.observer']).toBe(3);
});
