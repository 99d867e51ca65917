import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment, PLAIN_ENVIRONMENT } from '../../../src/supervise/process/env.ts';
import { idOfFragment, readFrame, writeFrame } from '../../../src/supervise/process/frame.ts';
import { openLogFile } from '../../../src/supervise/process/log-file.ts';
import { createOutbox } from '../../../src/supervise/process/outbox.ts';
import { createRestartCounter } from '../../../src/supervise/process/restart.ts';
import { createRing } from '../../../src/supervise/process/ring.ts';

const read = (text: string) => readFrame(Buffer.from(text));

describe('a line of JSON-RPC', () => {
  it.each([
    ['{"id":1,"result":{}}', { kind: 'result', id: 1 }],
    ['{"id":1}', { kind: 'result', id: 1, result: undefined }],
    ['{"id":1,"result":1,"error":{"message":"m","code":3}}', { kind: 'error', id: 1, message: 'm', rpcCode: 3 }],
    ['{"id":1,"error":{}}', { kind: 'error', message: 'an error without a message' }],
    ['{"id":1,"error":null,"result":2}', { kind: 'result', result: 2 }],
    ['{"method":"m","params":[]}', { kind: 'notification', method: 'm', params: [] }],
    ['{"id":"a","method":"m"}', { kind: 'request', id: 'a' }],
    ['{"id":4,"method":"m","result":1}', { kind: 'result', id: 4, method: 'm' }],
    ['{"id":null,"result":{}}', { kind: 'stray' }],
    ['{"id":0,"result":{}}', { kind: 'stray' }],
    ['{"id":null,"error":{"message":"x"}}', { kind: 'stray' }],
    ['{"id":1.5,"result":{}}', { kind: 'noise' }],
    ['{"id":{},"method":"m"}', { kind: 'noise' }],
    ['null', { kind: 'noise' }],
    ['', { kind: 'noise', why: 'an empty line' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  it('may hold brackets in texts without counting as nested', () => {
    expect(read(JSON.stringify({ id: 1, result: `\\"${'['.repeat(1000)}` })).kind).toBe('result');
  });

  it('is one line whatever it holds', () => {
    const line = writeFrame({ text: 'a\nb\u2028c' });
    expect([line.match(/[\n\u2028]/g), JSON.parse(line)]).toEqual([['\n'], { text: 'a\nb\u2028c' }]);
  });

  it('that was cut still tells whose it was, at its head or at its tail', () => {
    const none = Buffer.alloc(0);
    expect(idOfFragment(Buffer.from('{"jsonrpc":"2.0","id": 12,"res'), none)).toBe(12);
    expect(idOfFragment(none, Buffer.from('xxx","id":13}\r'))).toBe(13);
    expect(idOfFragment(Buffer.from('xxx'), Buffer.from('xxx'))).toBeUndefined();
  });
});

describe('pauses before a new start', () => {
  const policy = { firstDelayMs: 250, maxDelayMs: 1500, maxExits: 10, windowMs: 60_000 };

  it('double up to the longest', () => {
    const counter = createRestartCounter(policy);
    expect([1, 2, 3, 4, 5].map((at) => counter.ended(at))).toEqual(
      [250, 500, 1000, 1500, 1500].map((delayMs) => ({ delayMs })),
    );
  });

  it('begin anew when the last end is long ago, or after a reset', () => {
    const counter = createRestartCounter({ ...policy, maxExits: 3 });
    expect([counter.ended(0), counter.ended(1)]).toEqual([{ delayMs: 250 }, { delayMs: 500 }]);
    expect(counter.ended(60_001)).toEqual({ delayMs: 250 });
    expect([counter.ended(60_002), counter.ended(60_003)]).toEqual([{ delayMs: 500 }, 'trip']);
    counter.reset();
    expect(counter.ended(60_004)).toEqual({ delayMs: 250 });
  });
});

it('an environment by list takes names and prefixes, and none that is not named', () => {
  const parent = { PATH: '/bin', LC_ALL: 'C', LC_TIME: 'C', AWS_SECRET: 'x', EMPTY: undefined };
  expect(childEnvironment({ from: parent, inherit: PLAIN_ENVIRONMENT, set: { PATH: '/own' } })).toEqual({
    PATH: '/own',
    LC_ALL: 'C',
    LC_TIME: 'C',
  });
  expect(childEnvironment({ from: parent, inherit: [] })).toEqual({});
  expect(childEnvironment({ from: { A: '1', B: undefined } })).toEqual({ A: '1' });
});

it('a ring keeps the last lines in order', () => {
  const ring = createRing(3);
  for (const line of ['a', 'b', 'c', 'd', 'e']) ring.push(line);
  expect(ring.lines()).toEqual(['c', 'd', 'e']);
});

describe('an outbox', () => {
  it('sends in order once the reader reads again, without what was taken back', async () => {
    const pipe = new PassThrough({ highWaterMark: 4 });
    const outbox = createOutbox(pipe, { maxBytes: 100, maxNotices: 1, onDropped: () => dropped++ });
    let dropped = 0;
    outbox.send('first\n', false);
    const second = outbox.send('second\n', false)!;
    outbox.send('notice 1\n', true);
    outbox.send('notice 2\n', true);
    outbox.send('third\n', false);
    expect(outbox.withdraw(second)).toBe(true);
    expect(outbox.withdraw(second)).toBe(false);
    expect(outbox.send('x'.repeat(101), false)).toBeUndefined();
    let got = '';
    pipe.on('data', (chunk: Buffer) => {
      got += chunk.toString();
    });
    while (!got.includes('third')) await new Promise((resolve) => setImmediate(resolve));
    expect([got, dropped]).toEqual(['first\nnotice 2\nthird\n', 1]);
  });
});

describe('a log file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trotline-log-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('takes lines in order, in a folder it makes, readable by its owner alone', async () => {
    const path = join(folder, 'logs', 'hook.log');
    const log = openLogFile(path);
    for (let i = 0; i < 100; i++) log.write(`line ${i}`);
    await log.close();
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      ...Array.from({ length: 100 }, (_, i) => `line ${i}`),
      '',
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('stays bounded: the older half moves aside, and a flood is dropped and counted', async () => {
    const path = join(folder, 'hook.log');
    for (let round = 0; round < 5; round++) {
      const log = openLogFile(path, { maxBytes: 500, maxWaiting: 300 });
      for (let i = 0; i < 50; i++) log.write('0123456789');
      await log.close();
    }
    const [now, before] = await Promise.all([stat(path), stat(`${path}.1`)]);
    expect(now.size).toBeLessThanOrEqual(500);
    expect(before.size).toBeLessThanOrEqual(500);
    expect(await readFile(path, 'utf8')).toMatch(/\[\d+ lines dropped: too many at once\]/);
  });

  it('that cannot be written says so once and takes nobody down', async () => {
    await writeFile(join(folder, 'file'), '');
    const errors: string[] = [];
    const log = openLogFile(join(folder, 'file', 'hook.log'), { onError: (error) => errors.push(error.message) });
    log.write('a');
    await log.close();
    log.write('b');
    expect(errors).toHaveLength(1);
  });
});
