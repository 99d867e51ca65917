import { extname } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { TrotlineError } from '@trotline/engine';
import type { ModuleInput } from '../types.ts';
import { BEGUN, type Brief, CELLS, type FromWorker, HEARTBEAT, RUNNING, type ToWorker } from './protocol.ts';
import { errorOf } from './transfer.ts';
import type { ModuleWorkerOptions } from './types.ts';

/** A started worker whose module is loaded. */
export interface Thread {
  readonly inputs: readonly ModuleInput[];
  readonly ready: FromWorker & { type: 'ready' };
  send(message: ToWorker): void;
  /** The call that the thread is running for, 0 if none. Readable while the thread is stuck. */
  running(): number;
  /** The last call that began. Readable when the thread is gone, too. */
  begun(): number;
  /** Resolves to whether the thread's event loop turns within the time. */
  responds(ms: number): Promise<boolean>;
  /** Whether it keeps the process alive. */
  hold(held: boolean): void;
  terminate(): Promise<void>;
}

interface Listeners {
  readonly onMessage: (message: FromWorker) => void;
  readonly onEnded: (error: Error) => void;
}

/** On top of what a top-level await may take: starting a thread, compiling, and a thread that is stuck while it loads. */
const START_MS = 20_000;

/** Starts a thread and loads the module in it. Rejects with the errors of `loadModule`, and `modules.load-timeout`. */
export function startThread(
  file: string,
  options: ModuleWorkerOptions,
  { onMessage, onEnded }: Listeners,
): Promise<Thread> {
  const cells = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  const view = new Int32Array(cells);
  const { port1: port, port2 } = new MessageChannel();
  const { register = 'register', config, virtual = {}, guard = {}, cacheDir, jsx, loadTimeoutMs } = options;
  const brief: Brief = {
    file,
    register,
    config,
    virtual,
    guard,
    cells,
    ...(cacheDir === undefined ? {} : { cacheDir }),
    ...(jsx === undefined ? {} : { jsx }),
    ...(loadTimeoutMs === undefined ? {} : { loadTimeoutMs }),
  };
  const worker = new Worker(new URL(`./realm${extname(import.meta.url)}`, import.meta.url), {
    workerData: { port: port2, brief },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 256 },
  });
  return new Promise((resolve, reject) => {
    let inputs: readonly ModuleInput[] = [];
    let thread: Thread | undefined;
    let refusal: unknown;
    let over = false;
    const timer = setTimeout(
      () => {
        end(new TrotlineError('modules.load-timeout', { file, what: 'Its worker did not get ready in time' }));
      },
      (loadTimeoutMs ?? 10_000) + START_MS,
    );

    const end = (error: Error): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      port.close();
      void worker.terminate();
      if (thread === undefined) reject(error);
      else onEnded(error);
    };
    worker.on('error', (error: NodeJS.ErrnoException) => end(error));
    worker.on('exit', (code) => end(new Error(`its thread ended with code ${code}`)));
    port.on('messageerror', (error) => end(error));
    const receive = (message: FromWorker): void => {
      if (over) return;
      if (message.type === 'output') {
        if (options.onOutput === undefined) process.stderr.write(message.text);
        else options.onOutput(message.text, message.stream);
        return;
      }
      if (thread !== undefined) {
        onMessage(message);
      } else if (message.type === 'inputs') {
        ({ inputs } = message);
        void approve(options, inputs).then(
          () => port.postMessage({ type: 'go' } satisfies ToWorker),
          (error: unknown) => {
            refusal = error;
            port.postMessage({ type: 'go', refused: 'refused' } satisfies ToWorker);
          },
        );
      } else if (message.type === 'failed') {
        end(
          refusal === undefined
            ? errorOf({ failureClass: 'start', ...message.failure }, file, 'modules.threw')
            : (refusal as Error),
        );
      } else if (message.type === 'ready') {
        clearTimeout(timer);
        thread = {
          inputs,
          ready: message,
          send: (out) => {
            if (!over) port.postMessage(out);
          },
          running: () => Atomics.load(view, RUNNING),
          begun: () => Atomics.load(view, BEGUN),
          responds: async (ms) => {
            const before = Atomics.load(view, HEARTBEAT);
            port.postMessage({ type: 'ping' } satisfies ToWorker);
            const until = performance.now() + ms;
            while (performance.now() < until && !over) {
              if (Atomics.load(view, HEARTBEAT) !== before) {
                // What it sent before this sign of life, such as an outcome, is let in first.
                await new Promise((wake) => setImmediate(wake));
                return true;
              }
              await new Promise((wake) => setTimeout(wake, 5));
            }
            return false;
          },
          hold: (held) => {
            for (const end of [worker, port]) end[held ? 'ref' : 'unref']();
          },
          terminate: async () => {
            over = true;
            clearTimeout(timer);
            port.close();
            await worker.terminate();
          },
        };
        resolve(thread);
      }
    };
    port.on('message', (message: FromWorker) => {
      try {
        receive(message);
      } catch {
        end(new Error('it sent something that is no message of ours'));
      }
    });
  });
}

const approve = async (options: ModuleWorkerOptions, inputs: readonly ModuleInput[]): Promise<void> => {
  await options.beforeRun?.(inputs);
};
