import { describe, expect, it } from 'vitest';
import { PeerError, type PeerFault } from '../../../src/supervise/process/index.ts';
import { alive, fakePeer, until } from './support.ts';

const failing = async (promise: Promise<unknown>): Promise<PeerError> => {
  const error = await promise.then(
    (value) => expect.unreachable(`it answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PeerError);
  return error as PeerError;
};

describe('calls', () => {
  it('are multiplexed: each caller gets its own answer, in whatever order they come', async () => {
    const peer = fakePeer();
    const answers = await Promise.all([60, 30, 1].map((ms) => peer.call('after', { ms })));
    expect(answers).toEqual([60, 30, 1]);
  });

  it('made while the process starts wait for it', async () => {
    const peer = fakePeer();
    expect(peer.state).toBe('starting');
    expect(await peer.call('echo', { a: 1 })).toEqual({ a: 1 });
  });

  it('that are refused fail with the words of the process', async () => {
    const peer = fakePeer();
    const error = await failing(peer.call('refuse', { message: 'out of budget' }));
    expect([error.failureClass, error.code]).toEqual(['throw', 'supervise.refused']);
    expect(error.message).toContain('process hook "fake" refused refuse: out of budget');
    expect((await failing(peer.call('bare-error'))).message).toContain('plain text');
  });

  it('that are not answered in time fail as over budget, and the late answer is dropped and reported', async () => {
    const faults: PeerFault[] = [];
    const peer = fakePeer([], { onFault: (fault) => faults.push(fault) });
    await peer.ready;
    const error = await failing(peer.call('late', { ms: 400 }, { timeoutMs: 20 }));
    expect([error.failureClass, error.code]).toEqual(['budget', 'supervise.timeout']);
    await until(() => faults.length > 0);
    expect(faults.map((fault) => fault.code)).toEqual(['supervise.late']);
    expect(await peer.call('echo', { still: 'fine' })).toEqual({ still: 'fine' });
  });

  it('that are cancelled reject with the reason of the signal, and the process is told where its dialect knows how', async () => {
    const peer = fakePeer([], { cancelMethod: '$/cancel' });
    await peer.ready;
    const gaveUp = new AbortController();
    const call = peer.call('never', {}, { signal: gaveUp.signal });
    gaveUp.abort(new Error('the person pressed escape'));
    await expect(call).rejects.toThrow('the person pressed escape');
    expect(await peer.call('cancelled')).toEqual([2]);
    await expect(peer.call('echo', {}, { signal: gaveUp.signal })).rejects.toThrow('the person pressed escape');
  });

  it('carry any text unharmed, line separators of JavaScript included', async () => {
    const peer = fakePeer();
    const text = 'a\u2028b\u2029c\nd\r\u0000"\\ü😀';
    expect(await peer.call('echo', { text })).toEqual({ text });
  });
});

describe('what a process prints', () => {
  it('may hold noise, blank lines, ids of the wrong kind and answers to nothing: the right answer still counts', async () => {
    const peer = fakePeer();
    expect(await peer.call('noise-then-answer')).toBe('after the noise');
    expect(peer.health().faults).toEqual({ 'supervise.noise': 6 });
  });

  it('is counted when a call times out, so that the message names the likely cause', async () => {
    const peer = fakePeer([], { limits: { maxNoise: 1e9 } });
    await peer.ready;
    const error = await failing(peer.call('noise-forever', {}, { timeoutMs: 100 }));
    expect(error.message).toMatch(/meanwhile it printed \d+ unreadable line/);
  });

  it('ends the process when it is nothing but noise', async () => {
    const peer = fakePeer();
    const error = await failing(peer.call('noise-forever'));
    expect([error.failureClass, error.code]).toEqual(['garbage', 'supervise.garbage']);
    await until(() => peer.state === 'failed');
  });

  it('may come in pieces', async () => {
    expect(await fakePeer().call('half-then-rest')).toBe('whole');
  });

  it('may be a line of 20 MB: the call fails at once, the process lives, the next call works', async () => {
    const peer = fakePeer();
    for (const method of ['big', 'big-id-last', 'big-without-id']) {
      const error = await failing(peer.call(method, { bytes: 20 * 1024 * 1024 }));
      expect([error.failureClass, error.code]).toEqual(['garbage', 'supervise.garbage']);
    }
    expect(await peer.call('echo', { a: 1 })).toEqual({ a: 1 });
    expect(peer.health().restarts).toBe(0);
  });

  it('may be long where the limit allows it', async () => {
    const peer = fakePeer([], { limits: { maxLineBytes: 4 * 1024 * 1024 } });
    expect(await peer.call('big', { bytes: 3 * 1024 * 1024 })).toHaveLength(3 * 1024 * 1024);
  });

  it('fails only the call an oversized line belongs to', async () => {
    const peer = fakePeer([], { limits: { maxLineBytes: 2000 } });
    const waiting = peer.call('after', { ms: 100 });
    await failing(peer.call('big', { bytes: 5000 }));
    expect(await waiting).toBe(100);
  });

  it('may answer with a wrong id or twice: the first answer with the right id counts', async () => {
    const peer = fakePeer();
    expect(await peer.call('wrong-id')).toBe('yours');
    expect(await peer.call('twice')).toBe('first');
    await until(() => 'supervise.answered-twice' in peer.health().faults);
    expect(peer.health().faults).toEqual({ 'supervise.unknown-id': 1, 'supervise.answered-twice': 1 });
  });

  it('cannot pollute a prototype or nest without end', async () => {
    const peer = fakePeer();
    const result = (await peer.call('proto')) as Record<string, Record<string, unknown>>;
    expect(Object.keys(result)).toEqual(['a']);
    expect(Object.keys(result['a']!)).toEqual(['b']);
    const error = await failing(peer.call('deep', {}, { timeoutMs: 200 }));
    expect(error.code).toBe('supervise.timeout');
    expect(peer.health().faults).toEqual({ 'supervise.noise': 1 });
  });

  it('on stderr is kept, bounded in lines and in length', async () => {
    const peer = fakePeer([], { limits: { stderrLines: 3, maxStderrLineBytes: 10 } });
    await peer.call('stderr', { text: 'one\ntwo\nthree\nfour\n0123456789abcdef\n' });
    await until(() => peer.health().stderr.length === 3 && peer.health().stderr[2]?.startsWith('01') === true);
    expect(peer.health().stderr).toEqual(['three', 'four', '0123456789 … (16 bytes)']);
  });

  it('is handed on: notifications to the dialect, requests to whoever answers them', async () => {
    const told: unknown[] = [];
    const peer = fakePeer([], {
      onNotification: (method, params) => void told.push([method, params]),
      onRequest: (method, params) => ({ method, params }),
    });
    await peer.call('tell');
    expect(told).toEqual([['told', { a: 1 }]]);
    const reply = await peer.call('ask-host', { method: 'twice?' });
    expect(reply).toMatchObject({ id: 'q1', result: { method: 'twice?', params: { n: 2 } } });
    const refusing = fakePeer();
    expect(await refusing.call('ask-host', { method: 'anything' })).toMatchObject({
      id: 'q1',
      error: { code: -32601 },
    });
  });
});

describe('a request on stdout', () => {
  it('that is the one we sent is an echo and no answer: the call fails as garbage', async () => {
    expect(await failing(fakePeer().call('mirror', { action: 'continue' }))).toMatchObject({ failureClass: 'garbage' });
  });

  it('of its own that bears the id of a waiting call is refused, and the call goes on waiting', async () => {
    expect(await fakePeer().call('ask-by-same-id')).toMatchObject({ error: { code: -32601 } });
  });
});

describe('a process that does not read', () => {
  it('holds up nobody: calls time out, notifications are dropped, and what was not sent is taken back', async () => {
    const peer = fakePeer(['deaf'], {
      handshake: async () => {},
      limits: { maxQueuedNotices: 2, maxQueuedBytes: 1024 * 1024 },
    });
    await peer.ready;
    const big = 'x'.repeat(600_000);
    peer.notify('filler', { big });
    for (let i = 0; i < 5; i++) peer.notify('event', { i });
    expect(peer.health().faults).toEqual({ 'supervise.dropped': 3 });
    const [first, second] = await Promise.all([
      failing(peer.call('echo', { big }, { timeoutMs: 100 })),
      failing(peer.call('echo', { big }, { timeoutMs: 100 })),
    ]);
    expect(first.message).toContain('it does not read its stdin');
    expect(second.code).toBe('supervise.queue-full');
    expect((await failing(peer.call('echo', { big }, { timeoutMs: 100 }))).code).toBe('supervise.timeout');
  });
});

describe('a process that ends', () => {
  it.each([
    ['exit', { code: 0 }, 'exited (status 0)'],
    ['exit', { code: 1 }, 'exited with status 1'],
    ['die', { signal: 'SIGKILL' }, 'ended by SIGKILL'],
    ['half-then-exit', {}, 'exited (status 0)'],
  ])('during a call (%s %j) fails every waiting call, at once and saying how', async (method, params, text) => {
    const peer = fakePeer();
    const other = failing(peer.call('never'));
    const error = await failing(peer.call(method, params));
    expect([error.failureClass, error.code]).toEqual(['crash', 'supervise.exited']);
    expect(error.message).toContain(text);
    expect(await other).toBe(error);
  });

  it.each(['answer-then-exit', 'unfinished-answer-then-exit'])(
    'loses no answer it gave before (%s)',
    async (method) => {
      expect(await fakePeer().call(method)).toMatch(/last words|no newline/);
    },
  );

  it('between calls is found out by the next one, which says why it is down', async () => {
    const peer = fakePeer();
    expect(await peer.call('exit-after-answer')).toBe('ok');
    await until(() => peer.state === 'failed');
    const error = await failing(peer.call('echo'));
    expect([error.failureClass, error.code]).toEqual(['crash', 'supervise.down']);
    expect(error.message).toContain('exited (status 0)');
  });
});

describe('a process that does not start', () => {
  it.each([
    [{ command: ['/nowhere/hook'] }, '/nowhere/hook does not exist'],
    [{ command: ['no-such-program-anywhere'] }, 'no program "no-such-program-anywhere" on PATH'],
    [{ command: ['/etc/passwd'] }, 'may not be executed'],
    [{ command: ['/tmp'] }, 'is not a file'],
    [{ command: [] }, 'has no command'],
    [{ cwd: '/nowhere' }, 'its folder /nowhere does not exist'],
  ])('because of %j says so', async (options, text) => {
    const peer = fakePeer([], options);
    const error = await failing(peer.ready);
    expect([error.failureClass, error.code]).toEqual(['start', 'supervise.cannot-start']);
    expect(error.message).toContain(text);
    expect((await failing(peer.call('echo'))).failureClass).toBe('crash');
  });

  it.each([
    ['mute', 'did not answer hello within 1000 ms'],
    ['garbage-hello', 'meanwhile it printed 2 unreadable line(s)'],
    ['refuse-hello', 'wrong version'],
    ['exit-at-hello', 'exited (status 0)'],
    ['exit-at-start', 'exited with status 3 before its handshake was done; on stderr: no such config'],
  ])('in its handshake (%s) says so, and is gone', async (mode, text) => {
    const pids: number[] = [];
    const slowEnough = mode === 'mute' || mode === 'garbage-hello' ? { timeoutMs: 1000 } : {};
    const peer = fakePeer([mode, 'ignore-eof', 'ignore-term'], {
      handshake: async (hello) => {
        pids.push(peer.pid!);
        await hello.call('hello', {}, slowEnough);
      },
    });
    const error = await failing(peer.ready);
    expect([error.failureClass, error.code]).toEqual(['start', 'supervise.handshake']);
    expect(error.message).toContain(text);
    expect(pids.map(alive)).toEqual([false]);
  });

  it('within the limit of the handshake is given up', async () => {
    const peer = fakePeer(['mute', 'ignore-eof'], { limits: { handshakeMs: 300 } });
    expect((await failing(peer.ready)).message).toContain('within 300 ms');
    expect(peer.pid).toBeUndefined();
  });
});

describe('its environment', () => {
  it('is ours unless a list says which names, with what is set on top', async () => {
    process.env['TROTLINE_TEST_SECRET'] = 'secret';
    const all = (await fakePeer([], { env: { set: { MINE: '1' } } }).call('env')) as Record<string, string>;
    expect(all).toMatchObject({ TROTLINE_TEST_SECRET: 'secret', MINE: '1' });
    const few = (await fakePeer([], { env: { inherit: ['PATH'], set: { MINE: '2' } } }).call('env')) as object;
    expect(Object.keys(few).sort()).toEqual(['MINE', 'PATH', 'TROTLINE_PEER']);
    delete process.env['TROTLINE_TEST_SECRET'];
  });
});
