import { resolve as resolvePath } from 'node:path';
import { createPending, notCloneable, type Pending } from './pending.ts';
import type { FromWorker, NextFacts } from './protocol.ts';
import { startThread, type Thread } from './thread.ts';
import { failed } from './transfer.ts';
import type { CallOptions, ModuleWorker, ModuleWorkerOptions } from './types.ts';

/** How often clocks are looked at. One ticker for all calls, and none while there are no calls. */
const TICK_MS = 20;
/** On a crowded machine a thread that is alive may not get its turn for this long. */
const DEFAULT_GRACE_MS = 1_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** A worker that lived this long had no part in the failures before it. */
const HEALTHY_MS = 60_000;

/**
 * Runs a module in a thread of its own. A hook that holds the thread, in JavaScript or in native code, costs that thread and no other: it is
 * ended, the call fails by its budget, and the next call starts a new one. The first restart is immediate, further ones wait.
 *
 * The module has all rights of the process: a thread is a protection against mistakes, not against malice.
 *
 * @throws {TrotlineError} the codes of `loadModule`, with failure class `start`.
 */
export async function startModuleWorker(file: string, options: ModuleWorkerOptions = {}): Promise<ModuleWorker> {
  const path = resolvePath(file);
  const calls = new Map<number, Pending>();
  let thread: Thread | undefined;
  let starting: Promise<Thread> | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let examining = false;
  let closed = false;
  let ids = 0;
  let ends = 0;
  let notBefore = 0;
  let startedAt = 0;

  const crash = (why: string, cause?: unknown): Error =>
    failed('crash', 'modules.worker-ended', {
      file: path,
      what: `Its worker ended: ${why}`,
      ...(cause === undefined ? {} : { cause }),
    });

  const failAll = (error: Error): void => {
    for (const call of [...calls.values()]) call.fail(error);
  };

  /** The thread is gone or about to be. The calls in it fail; the next one finds no thread. */
  const lost = (error: Error): void => {
    thread = undefined;
    ends = performance.now() - startedAt > HEALTHY_MS ? 1 : ends + 1;
    const delay = ends === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (ends - 2), LONGEST_DELAY_MS);
    notBefore = performance.now() + delay;
    failAll(error);
    options.onEnded?.(error);
  };

  const onMessage = (message: FromWorker): void => {
    if (!('call' in message)) return;
    const call = calls.get(message.call);
    if (call === undefined) return;
    if (message.type === 'started') call.begin(performance.now());
    else if (message.type === 'next' || message.type === 'op') call.serve(message);
    else if (message.type === 'note') call.note(message.code, message.reason);
    else call.settle(message.outcome);
  };

  const start = async (): Promise<Thread> => {
    startedAt = performance.now();
    const onEnded = (error: Error): void => lost(crash(reasonOf(error), error));
    const fresh = await startThread(path, options, { onMessage, onEnded });
    if (closed) {
      await fresh.terminate();
      throw crash('it was closed');
    }
    if (calls.size === 0) fresh.hold(false);
    thread = fresh;
    return fresh;
  };

  const first = await start();
  const { hooks, notes, fromCache } = first.ready;

  const restart = async (): Promise<Thread> => {
    const again = await start().catch((error: Error) => {
      lost(error);
      throw error;
    });
    if (JSON.stringify(again.ready.hooks) !== JSON.stringify(hooks)) {
      const error = failed('start', 'modules.worker-changed', {
        file: path,
        what: 'It now registers other hooks than before',
      });
      lost(error);
      await again.terminate();
      throw error;
    }
    options.onRestarted?.();
    return again;
  };

  const live = async (): Promise<Thread> => {
    if (closed) throw crash('it was closed');
    if (thread !== undefined) return thread;
    const wait = notBefore - performance.now();
    if (starting === undefined && wait > 0) {
      const what = `Its worker ended ${ends} times and is set aside for another ${Math.ceil(wait).toLocaleString('en')} ms`;
      throw failed('crash', 'modules.worker-set-aside', { file: path, what });
    }
    starting ??= restart().finally(() => {
      starting = undefined;
    });
    return starting;
  };

  const overrun = (call: Pending, how: string): Error =>
    failed('budget', 'modules.worker-stopped', {
      file: path,
      what: `Its hook on ${call.event} ${how} after ${call.budgetMs.toLocaleString('en')} ms`,
    });

  /** Some call is over its budget. Either it only waits, and is given up, or it holds the thread, and the thread is ended. */
  const examine = async (): Promise<void> => {
    const suspect = thread;
    if (suspect === undefined || (await suspect.responds(options.graceMs ?? DEFAULT_GRACE_MS)) || thread !== suspect) {
      for (const call of [...calls.values()]) {
        if (call.spent(performance.now()) <= call.budgetMs) continue;
        suspect?.send({ type: 'abort', call: call.id });
        call.fail(overrun(call, 'had not finished and was given up'));
      }
      return;
    }
    const late = [...calls.values()].filter((call) => call.spent(performance.now()) > call.budgetMs);
    const culprit = calls.get(suspect.running()) ?? late[0];
    culprit?.fail(overrun(culprit, 'held the thread and was ended with it'));
    lost(crash(`another hook of the module held its thread`));
    await suspect.terminate();
  };

  const tick = (): void => {
    const now = performance.now();
    if (examining || ![...calls.values()].some((call) => call.spent(now) > call.budgetMs)) return;
    examining = true;
    void examine().finally(() => {
      examining = false;
    });
  };

  const call = async (
    hook: number,
    event: string,
    e: unknown,
    callOptions: CallOptions,
    again = true,
  ): Promise<unknown> => {
    const target = await live();
    // It may have ended since it got ready, and then nobody would answer.
    if (thread !== target) throw crash('it ended before it was asked');
    ids = (ids % 0x7fffffff) + 1;
    const id = ids;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        calls.delete(id);
        if (calls.size > 0) return;
        clearInterval(ticker);
        thread?.hold(false);
      };
      const pending: Pending = createPending({
        id,
        file: path,
        event,
        options: callOptions,
        send: target.send,
        done,
        resolve,
        // It was waiting behind a hook that ended the thread and never began: a new thread may run it, once.
        reject: (error) => {
          const crashed = (error as { failureClass?: unknown }).failureClass === 'crash';
          if (again && crashed && target.begun() < id && !closed) resolve(call(hook, event, e, callOptions, false));
          else reject(error);
        },
      });
      if (calls.size === 0) {
        target.hold(true);
        ticker = setInterval(tick, TICK_MS);
      }
      calls.set(id, pending);
      try {
        const { part = 'hook' } = callOptions;
        target.send({ type: 'call', call: id, hook, part, e, facts: factsOf(event, callOptions) });
        if (callOptions.signal?.aborted) target.send({ type: 'abort', call: id });
      } catch (error) {
        pending.fail(notCloneable(path, `The event ${event}`, error));
      }
    });
  };

  return {
    inputs: first.inputs,
    hooks,
    notes,
    fromCache,
    call: (hook, event, e, callOptions) => call(hook, event, e, callOptions),
    async close() {
      closed = true;
      const ended = thread;
      thread = undefined;
      failAll(crash('it was closed'));
      await ended?.terminate();
      await starting?.catch(() => {});
    },
  };
}

function factsOf(event: string, { next, budgetMs }: CallOptions): NextFacts {
  const { origin, dryRun, error, called } = next;
  return {
    event,
    budgetMs,
    ...(origin === undefined ? {} : { origin }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(called === undefined ? {} : { called }),
    ...(error === undefined ? {} : { error: { class: error.class, message: error.message } }),
  };
}

/** Why a thread ended, in words. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it used up its memory';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`.slice(0, 300);
}
