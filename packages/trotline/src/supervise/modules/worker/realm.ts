import { type MessagePort, workerData } from 'node:worker_threads';
import { loadModule } from '../load.ts';
import type { LoadedModule } from '../types.ts';
import { createInvocation, type Invocation } from './invocation.ts';
import {
  BEGUN,
  type Brief,
  type FromWorker,
  HEARTBEAT,
  type HookDescription,
  RUNNING,
  type ToWorker,
} from './protocol.ts';
import { failureOf } from './transfer.ts';

type AnyFunction = (...args: unknown[]) => unknown;

interface Registered {
  readonly hook: AnyFunction;
  readonly description: { pattern: string; matcher?: object; options?: object };
  handler?: AnyFunction;
}

/** The thread of one module: loads it, runs its hooks when asked, and answers. */
async function main(): Promise<void> {
  const { port, brief } = workerData as { port: MessagePort; brief: Brief };
  // The module shares this thread's globals; it need not find our line to the host among them.
  Object.assign(workerData as object, { port: undefined, brief: undefined });
  const cells = new Int32Array(brief.cells);
  const send = (message: FromWorker): void => port.postMessage(message);
  redirectOutput(send);
  const calls = new Map<number, Invocation>();
  const hooks: Registered[] = [];
  let module: LoadedModule | undefined;
  let go: ((refused: string | undefined) => void) | undefined;

  port.on('message', (message: ToWorker) => {
    if (message.type === 'ping') {
      Atomics.add(cells, HEARTBEAT, 1);
      return;
    }
    if (message.type === 'go') {
      go?.(message.refused);
      return;
    }
    // Whatever runs from here on until the event loop turns, runs for this call.
    if (message.type === 'call') Atomics.store(cells, BEGUN, message.call);
    Atomics.store(cells, RUNNING, message.call);
    setImmediate(() => Atomics.store(cells, RUNNING, 0));
    if (message.type === 'call') {
      const registered = hooks[message.hook];
      const run = message.part === 'handler' ? registered?.handler : registered?.hook;
      if (module === undefined || run === undefined) return;
      const invocation = createInvocation(message, send);
      calls.set(message.call, invocation);
      void invocation.run(module, run).then(() => calls.delete(message.call));
    } else if (message.type === 'reply') {
      calls.get(message.call)?.reply(message.request, message.outcome, message.trace);
    } else {
      calls.get(message.call)?.abort();
    }
  });

  try {
    const virtual: Record<string, object> = {};
    for (const [specifier, source] of Object.entries(brief.virtual))
      virtual[specifier] = (await import(source)) as object;
    const { file, register, config, cells: _cells, ...options } = brief;
    module = await loadModule(file, {
      ...options,
      virtual,
      beforeRun: async (inputs) => {
        send({ type: 'inputs', inputs });
        const refused = await new Promise<string | undefined>((resolve) => {
          go = resolve;
        });
        if (refused !== undefined) throw new Error(refused);
      },
    });
    await collect(module, register, config, hooks);
    send({
      type: 'ready',
      hooks: hooks.map(
        ({ description, handler }): HookDescription => ({ ...description, handler: handler !== undefined }),
      ),
      notes: module.notes,
      fromCache: module.fromCache,
    });
  } catch (error) {
    send({ type: 'failed', failure: failureOf(error, module) });
  }
}

function assertCloneable(pattern: string, description: object): void {
  try {
    structuredClone(description);
  } catch (cause) {
    const what = `the matcher and options of its hook on "${pattern}" cannot pass between threads`;
    throw Object.assign(new Error(what, { cause }), { code: 'modules.not-cloneable' });
  }
}

const REGISTER_MS = 1_000;

const MAX_OUTPUT = 64 * 1024;

/**
 * Sends what the module prints to the host. A worker's own streams would keep the process alive for as long as somebody listens, and
 * without a listener they write into the output of the host.
 */
function redirectOutput(send: (message: FromWorker) => void): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
      send({ type: 'output', stream, text: text.slice(0, MAX_OUTPUT) });
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') process.nextTick(done as () => void);
      return true;
    };
    process[stream].write = write as typeof process.stdout.write;
  }
}

/** Runs the module's `register` and keeps what it registers. Errors: whatever it throws, and a TypeError for what is no hook. */
async function collect(module: LoadedModule, name: string, config: unknown, hooks: Registered[]): Promise<void> {
  const register = module.exports[name];
  if (typeof register !== 'function')
    throw Object.assign(new Error(`it does not export a function named ${name}`), { code: 'modules.no-hook' });
  const on = (pattern: unknown, ...rest: unknown[]): unknown => {
    const matcher = typeof rest[0] === 'function' ? undefined : (rest.shift() as object | undefined);
    const [hook, options] = rest as [unknown, object | undefined];
    if (typeof pattern !== 'string' || typeof hook !== 'function') {
      throw new TypeError('on() takes a pattern, perhaps a matcher, and a function');
    }
    if (/^(Async)?GeneratorFunction$/.test(hook.constructor.name)) {
      throw new TypeError(`a generator (on "${pattern}") cannot run in a worker of its own: write a function`);
    }
    const description = {
      pattern,
      ...(matcher === undefined ? {} : { matcher }),
      ...(options === undefined ? {} : { options }),
    };
    assertCloneable(pattern, description);
    const registered: Registered = { hook: hook as AnyFunction, description };
    hooks.push(registered);
    const registration = (): never => {
      throw new Error('a hook in a worker of its own cannot be taken back');
    };
    return Object.assign(registration, {
      catch: (handler: AnyFunction) => {
        if (registered.handler !== undefined) throw new TypeError('.catch() was called twice on one hook');
        registered.handler = handler;
        return registration;
      },
    });
  };
  await module.withBudget(REGISTER_MS, () => (register as AnyFunction)(on, config));
}

await main();
