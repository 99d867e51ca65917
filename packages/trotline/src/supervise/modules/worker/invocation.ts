import type { LoadedModule } from '../types.ts';
import type { Failure, FromWorker, Outcome, ToWorker } from './protocol.ts';
import { failureOf } from './transfer.ts';

type AnyFunction = (...args: unknown[]) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One call of one hook, inside the worker. */
export interface Invocation {
  /** Runs the hook and reports its outcome. Never rejects. */
  run(module: LoadedModule, hook: AnyFunction): Promise<void>;
  reply(request: number, outcome: Outcome, trace: unknown): void;
  abort(): void;
}

/** What a hook throws that did not come from the hook: the request that failed, by the error it was told with. */
const origins = new WeakMap<object, number>();

export function createInvocation(
  message: ToWorker & { type: 'call' },
  send: (message: FromWorker) => void,
): Invocation {
  const { call, facts } = message;
  const waiting = new Map<number, Waiting>();
  const controller = new AbortController();
  let requests = 0;
  let trace: unknown = [];

  const ask = (build: (request: number) => FromWorker): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = ++requests;
      waiting.set(request, { resolve, reject });
      try {
        send(build(request));
      } catch (error) {
        waiting.delete(request);
        reject(uncloneable(error));
      }
    });

  const next = Object.assign((e: unknown) => ask((request) => ({ type: 'next', call, request, e })), {
    to: (e: unknown, tier: string) => ask((request) => ({ type: 'next', call, request, e, tier })),
    is: () => {
      throw new Error('next.is is not available in a worker of its own: look at next.event');
    },
    note: (code: unknown, reason?: unknown) => {
      send({ type: 'note', call, code: String(code), ...(reason === undefined ? {} : { reason: String(reason) }) });
    },
    event: facts.event,
    origin: facts.origin,
    dryRun: facts.dryRun ?? false,
    signal: controller.signal,
    budget: { ms: facts.budgetMs, remainingMs: facts.budgetMs },
    ...(facts.error === undefined ? {} : { error: facts.error, called: facts.called ?? false }),
  });
  Object.defineProperty(next, 'trace', { get: () => trace });

  return {
    async run(module, hook) {
      send({ type: 'started', call });
      let outcome: Outcome;
      try {
        const e = freeze(message.e);
        const value = await module.withBudget(facts.budgetMs, () => hook(ops([], call, ask), e, next));
        outcome = { ok: true, value };
      } catch (error) {
        outcome = { ok: false, failure: told(error, module) };
      }
      try {
        send({ type: 'settled', call, outcome });
      } catch (error) {
        send({ type: 'settled', call, outcome: { ok: false, failure: failureOf(uncloneable(error), module) } });
      }
      // What the hook still asks for is nobody's business any more, and must not be waited for.
      waiting.clear();
    },
    reply(request, outcome, beneath) {
      const asked = waiting.get(request);
      waiting.delete(request);
      if (beneath !== undefined) trace = beneath;
      if (outcome.ok) asked?.resolve(outcome.value);
      else asked?.reject(received(outcome.failure, request));
    },
    abort: () => controller.abort(),
  };
}

function told(error: unknown, module: LoadedModule): Failure {
  const request = typeof error === 'object' && error !== null ? origins.get(error) : undefined;
  const failure = failureOf(error, module);
  return request === undefined ? failure : { ...failure, request };
}

function received(failure: Failure, request: number): Error {
  const error = new Error(failure.message);
  Object.assign(error, {
    name: failure.name,
    ...failure.control,
    ...(failure.code === undefined ? {} : { code: failure.code }),
  });
  origins.set(error, request);
  return error;
}

const uncloneable = (cause: unknown): Error =>
  Object.assign(new Error(cause instanceof Error ? cause.message : 'it cannot be cloned', { cause }), {
    code: 'modules.not-cloneable',
    failureClass: 'shape',
  });

/** `$`: every path is a function that asks the host, and gives a promise. */
function ops(
  path: readonly string[],
  call: number,
  ask: (build: (request: number) => FromWorker) => Promise<unknown>,
): unknown {
  const target = (...args: unknown[]): Promise<unknown> =>
    ask((request) => ({ type: 'op', call, request, path, args }));
  return new Proxy(target, {
    get: (_target, key) => {
      // `await $` must not ask the host for an op named `then`.
      if (typeof key !== 'string' || key === 'then' || path.length >= 8) return undefined;
      return ops([...path, key], call, ask);
    },
  });
}

/** Events are frozen for every hook; what was cloned no longer is. */
function freeze(root: unknown): unknown {
  const stack = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) continue;
    Object.freeze(value);
    stack.push(...Object.values(value));
  }
  return root;
}
