import type { Readable, Writable } from 'node:stream';
import { PeerError } from './failure.ts';
import { type Frame, idOfFragment, readFrame, writeFrame } from './frame.ts';
import { createLineSplitter } from './lines.ts';
import { createOutbox, type Outgoing } from './outbox.ts';
import type { CallOptions, PeerFault, PeerLimits, PeerOptions } from './types.ts';
import { escaped } from './words.ts';

export interface WireOptions extends Pick<PeerOptions, 'name' | 'cancelMethod' | 'onNotification' | 'onRequest'> {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly limits: PeerLimits;
  readonly onFault: (fault: PeerFault) => void;
  /** What it prints can no longer be taken for the protocol; it should be ended. */
  readonly onHopeless: (error: PeerError) => void;
  /** Whether any call waits. */
  readonly onBusy: (busy: boolean) => void;
}

export interface Wire {
  call(method: string, params: unknown, options: CallOptions & { readonly timeoutMs: number }): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Fails whatever waits, and whatever is called from now on. */
  close(error: PeerError): void;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  readonly line: Outgoing;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
}

/** Ids of settled calls that are remembered, to tell a late or second answer from an invented one. */
const REMEMBERED = 1024;
const FRAGMENT = 512;

/** JSON-RPC 2.0 over two streams, a message a line: calls multiplexed by id, each with its deadline, and nothing unbounded. */
export function createWire(options: WireOptions): Wire {
  const { name, limits, onFault } = options;
  const pending = new Map<number, Pending>();
  const settled = new Map<number, 'answered' | 'given up'>();
  let nextId = 1;
  let noiseInARow = 0;
  let noise = 0;
  let closed: PeerError | undefined;

  const outbox = createOutbox(options.stdin, {
    maxBytes: limits.maxQueuedBytes,
    maxNotices: limits.maxQueuedNotices,
    onDropped: () => onFault({ code: 'supervise.dropped', detail: `${name} does not read its stdin` }),
  });

  const settle = (id: number, how: 'answered' | 'given up'): Pending | undefined => {
    const call = pending.get(id);
    if (call === undefined) return undefined;
    pending.delete(id);
    clearTimeout(call.timer);
    if (call.onAbort !== undefined) call.signal?.removeEventListener('abort', call.onAbort);
    settled.set(id, how);
    if (settled.size > REMEMBERED) settled.delete(settled.keys().next().value!);
    if (pending.size === 0) options.onBusy(false);
    return call;
  };
  const giveUp = (id: number, error: unknown): void => {
    const call = settle(id, 'given up');
    if (call === undefined) return;
    const unsent = outbox.withdraw(call.line);
    if (!unsent && options.cancelMethod !== undefined) wire.notify(options.cancelMethod, { id });
    call.reject(error);
  };
  const stray = (id: number): void => {
    const how = settled.get(id);
    if (how === undefined)
      onFault({ code: 'supervise.unknown-id', detail: `${name} answered a call ${id} that was never made` });
    else if (how === 'answered')
      onFault({ code: 'supervise.answered-twice', detail: `${name} answered call ${id} again` });
    else onFault({ code: 'supervise.late', detail: `${name} answered call ${id} after it was given up` });
  };
  const onNoise = (why: string, line: Buffer): void => {
    noise += 1;
    noiseInARow += 1;
    onFault({ code: 'supervise.noise', detail: `${name} printed ${why}: ${excerpt(line)}` });
    if (noiseInARow === limits.maxNoise) {
      const what = `${name} printed ${limits.maxNoise} unreadable lines in a row`;
      options.onHopeless(new PeerError('garbage', 'supervise.garbage', { what }));
    }
  };

  const onFrame = (frame: Frame, line: Buffer): void => {
    if (frame.kind !== 'noise') noiseInARow = 0;
    switch (frame.kind) {
      case 'noise':
        onNoise(frame.why, line);
        return;
      case 'stray':
        return;
      case 'notification':
        guarded(() => options.onNotification?.(frame.method, frame.params));
        return;
      case 'request':
        // Its own requests may bear any id. One that is our own, word for word, is an echo, and no answer.
        if (typeof frame.id === 'string' || pending.get(frame.id)?.method !== frame.method) {
          void answer(frame.id, frame.method, frame.params);
        } else {
          const what = `${name} gave the request ${frame.method} back instead of answering it`;
          const remedy =
            'A program that only repeats its input, like `cat`, is no hook: answer with the same `id` and a `result`.';
          settle(frame.id, 'answered')?.reject(new PeerError('garbage', 'supervise.garbage', { what, remedy }));
        }
        return;
      case 'result': {
        const call = settle(frame.id, 'answered');
        if (call === undefined) stray(frame.id);
        else call.resolve(frame.result);
        return;
      }
      case 'error': {
        const call = settle(frame.id, 'answered');
        if (call === undefined) stray(frame.id);
        else call.reject(refused(name, call.method, frame.message));
      }
    }
  };
  const guarded = (callback: () => void): void => {
    try {
      callback();
    } catch (error) {
      onFault({
        code: 'supervise.observer',
        detail: `${name}: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  };
  const answer = async (id: number | string, method: string, params: unknown): Promise<void> => {
    const { onRequest } = options;
    let reply: object;
    try {
      reply =
        onRequest === undefined
          ? { jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method.slice(0, 100)}` } }
          : { jsonrpc: '2.0', id, result: (await onRequest(method, params)) ?? null };
      outbox.send(writeFrame(reply), true);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      outbox.send(writeFrame({ jsonrpc: '2.0', id, error: { code: -32000, message } }), true);
    }
  };

  const splitter = createLineSplitter({
    maxBytes: limits.maxLineBytes,
    keepBytes: FRAGMENT,
    onLine: (line) => onFrame(readFrame(line), line),
    onOversized({ head, tail, bytes }) {
      const what = `${name} printed a line of ${bytes} bytes`;
      onFault({ code: 'supervise.oversized', detail: what });
      const id = idOfFragment(head, tail);
      // Whose answer it was is not always to be told; then nobody may go on waiting for it.
      const lost = id !== undefined && pending.has(id) ? [id] : [...pending.keys()];
      for (const lostId of lost) {
        const expected = `at most ${limits.maxLineBytes} bytes`;
        settle(lostId, 'answered')?.reject(new PeerError('garbage', 'supervise.garbage', { what, expected }));
      }
    },
  });
  options.stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
  options.stdout.on('end', () => splitter.end());

  const wire: Wire = {
    call(method, params, { signal, timeoutMs }) {
      if (closed !== undefined) return Promise.reject(closed);
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const id = nextId++;
        const line = outbox.send(writeFrame({ jsonrpc: '2.0', id, method, params }), false);
        if (line === undefined) {
          const what = `${name} does not read its stdin, and ${limits.maxQueuedBytes} bytes wait for it`;
          return reject(new PeerError('crash', 'supervise.queue-full', { what }));
        }
        const noiseBefore = noise;
        const timer = setTimeout(() => {
          giveUp(id, timedOut(name, method, timeoutMs, noise - noiseBefore, line.text !== undefined));
        }, timeoutMs);
        const onAbort = signal === undefined ? undefined : () => giveUp(id, signal.reason);
        if (onAbort !== undefined) signal?.addEventListener('abort', onAbort, { once: true });
        pending.set(id, { method, resolve, reject, timer, line, signal, onAbort });
        if (pending.size === 1) options.onBusy(true);
      });
    },
    notify(method, params) {
      if (closed === undefined) outbox.send(writeFrame({ jsonrpc: '2.0', method, params }), true);
    },
    close(error) {
      closed ??= error;
      outbox.close();
      for (const id of [...pending.keys()]) settle(id, 'given up')?.reject(error);
    },
  };
  return wire;
}

function refused(name: string, method: string, message: string): PeerError {
  return new PeerError('throw', 'supervise.refused', { what: `${name} refused ${method}: ${escaped(message)}` });
}

function timedOut(name: string, method: string, ms: number, noise: number, unread: boolean): PeerError {
  const hint = unread
    ? '; it does not read its stdin'
    : noise > 0
      ? `; meanwhile it printed ${noise} unreadable line(s) on stdout`
      : '';
  return new PeerError('budget', 'supervise.timeout', {
    what: `${name} did not answer ${method} within ${ms} ms${hint}`,
  });
}

function excerpt(line: Buffer): string {
  const text = escaped(JSON.stringify(line.subarray(0, 120).toString('utf8')));
  return line.length > 120 ? `${text} …` : text;
}
