import { handlerOf, judge, late, made, outcomeOf, reach, seek } from './chain.ts';
import { performance, unwatch } from './clock.ts';
import { AbortTurn } from './control.ts';
import { Faulty, KernelError } from './failure.ts';
import { LinkFlow } from './flow.ts';
import { freezeCopy } from './freeze.ts';
import { beneath, nextOf, quiet } from './next.ts';
import {
  type Dispatch,
  failing,
  hookOf,
  type Run,
  resolved,
  running,
  type Seat,
  settled,
  uncalled,
  Wait,
} from './run.ts';
import { accept, closes, done, overBudget, refusalOf, reject } from './settle.ts';
import type { AnyHook, Failure, Outcome } from './types.ts';

type Body = AsyncGenerator<unknown, unknown, undefined>;

/** Is this function an async generator? On a stream event such a link passes chunks live. */
export const isGenerator = (hook: AnyHook): boolean =>
  Object.prototype.toString.call(hook) === '[object AsyncGeneratorFunction]';

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';

/**
 * Runs a stream event's chain from a place on, once it is pulled. A generator link, and the host, get a stream. A plain
 * function is a buffering link: it gets a promise of the whole response, of which nothing was shown, and what it returns
 * is what streams on; where it returns that very promise, it let the stream pass, and the chunks go by live.
 */
export function streamStep(d: Dispatch, at: number, e: unknown, parent: Run | undefined): unknown {
  const run = seek(d, at, e, parent);
  const flow = new LinkFlow(run, bodyOf(run));
  if (parent === undefined) return flow;
  const { rarely } = parent;
  rarely.flows ??= [];
  rarely.flows.push(flow);
  if (rarely.generator) return flow;
  if (rarely.held === undefined) return flow.whole();
  rarely.held.push(flow);
  return flow.promise;
}

function bodyOf(run: Run): Body {
  const { seat } = run;
  if (seat === undefined) return bottomBody(run);
  const thrown = run.rare?.thrown;
  if (thrown !== undefined) return failedBody(run, thrown.error);
  return seat.half === 'after' ? afterBody(run) : linkBody(run, seat.hook, seat.generator);
}

async function* linkBody(run: Run, hook: AnyHook, generator: boolean): Body {
  const { d } = run;
  const own = hookOf(run);
  const { rarely } = run;
  rarely.generator = generator;
  rarely.held = generator ? undefined : [];
  if (run === own) (run.seat as Seat).calls++;
  let source: AsyncIterator<unknown, unknown> | undefined;
  let live: LinkFlow | undefined;
  try {
    run.start(performance.now());
    let value: unknown = hook(d.options.dollar(run), d.soft === true ? freezeCopy(run.e) : run.e, nextOf(run));
    const held = (rarely.held ?? []) as LinkFlow[];
    rarely.held = undefined;
    live = held.find((flow) => flow.promise === value);
    if (live !== undefined) {
      run.stop(performance.now());
      value = yield* live;
    } else if (isStream(value)) {
      rarely.generator = true;
      source = value[Symbol.asyncIterator]() as AsyncIterator<unknown, unknown>;
      value = yield* pump(run, source);
      source = undefined;
      // A generator that returns nothing lets its last `next` stand.
      if (value === undefined && own.lastState === resolved) value = own.lastValue;
    } else {
      for (const flow of held) flow.whole();
      value = await timed(run, value);
    }
    run.stop(performance.now());
    if (run.state === settled) return undefined;
    if (own.rare?.control !== undefined) throw own.rare.control;
    const fault = accept(run, value);
    if (fault !== undefined) throw new Faulty(fault);
    const { outcome, returned } = run;
    if (!rarely.generator && live === undefined) {
      const flow = own.rare?.flows?.at(-1);
      if (outcome === 'passed' && flow !== undefined) yield* flow;
      else yield* d.rules.chunksOf?.(returned) ?? [];
    }
    return finish(run, outcome as Outcome, returned);
  } catch (error) {
    return yield* failedBody(run, error);
  } finally {
    if (source?.return !== undefined) quiet(Promise.resolve(source.return()));
    // What was not read to the end has nobody left to read it.
    for (const flow of own.rare?.flows ?? []) quiet(flow.return(undefined));
  }
}

function finish(run: Run, outcome: Outcome, value: unknown): unknown {
  return run.state === settled ? value : done(run, outcome, value, performance.now());
}

/** Pulls a hook's generator. Only its own code costs its budget: not the wait for who reads it, nor what it pulls beneath. */
async function* pump(run: Run, source: AsyncIterator<unknown, unknown>): Body {
  const { rules } = run.d;
  const { rarely } = hookOf(run);
  for (;;) {
    if (run.waits === 0) run.start(performance.now());
    const step = (await timed(run, source.next())) as IteratorResult<unknown, unknown>;
    run.stop(performance.now());
    if (step.done === true) return step.value;
    let chunk: unknown;
    try {
      chunk = freezeCopy(step.value);
    } catch (error) {
      throw new Faulty({
        class: 'shape',
        message: `yielded a value that cannot travel: ${(error as Error).message}`,
        error,
      });
    }
    const misfit = rules.chunkMisfit?.(chunk);
    if (misfit !== undefined)
      throw new Faulty({ class: 'shape', message: `yielded a chunk of the wrong shape (${misfit})` });
    rarely.chunks++;
    yield chunk;
    if (rules.budgetPerChunk === true) {
      rarely.spentBefore += run.spent;
      run.spent = 0;
    }
  }
}

/** Waits for a hook's promise as long as its budget lasts. */
function timed(run: Run, out: unknown): unknown {
  let over = false;
  const wait = new Wait(run, () => {
    over = true;
    run.abort(new KernelError('budget', `The hook ${overBudget(run).message}`));
    wait.settle(Promise.reject(new Faulty(overBudget(run))));
    wait.linger();
  });
  run.wait = wait;
  const settle = (how: string, value: () => unknown) => {
    unwatch(wait);
    if (over) late(run, how);
    else wait.settle(value());
  };
  Promise.resolve(out).then(
    (value) => settle('answered', () => value),
    (error) => settle('failed', () => Promise.reject(error)),
  );
  return wait.promise;
}

/** What streams on when a hook failed, after the chunks it had passed already. */
async function* failedBody(run: Run, error: unknown): Body {
  if (run.state === settled) return undefined;
  const judged = judge(run, error);
  if ('up' in judged) return reject(run, judged.up);
  const next = handlerOf(run, judged);
  const { seat } = next;
  if (next !== hookOf(next) && seat?.handler !== undefined)
    return yield* linkBody(next, seat.handler, isGenerator(seat.handler));
  const failure = next.rare?.failure as Failure;
  if (next.rare?.control !== undefined) return reject(next, next.rare.control);
  if (closes(next, failure)) {
    const refusal = refusalOf(next, failure);
    if (refusal instanceof AbortTurn) return reject(next, refusal);
    yield* next.d.rules.chunksOf?.(refusal.value) ?? [];
    return finish(next, 'refused', refusal.value);
  }
  const outcome = outcomeOf(next, failure);
  return yield* rest(next, outcome);
}

/** The rest of what lies beneath, in the place of a link that has nothing to say. */
async function* rest(run: Run, outcome: Outcome): Body {
  run.rarely.generator = true;
  if (run.lastState === uncalled) beneath(run, run.e, run.at + 1);
  let value: unknown;
  try {
    value = yield* run.rarely.flows?.at(-1) as LinkFlow;
  } catch (error) {
    return reject(run, error);
  }
  return finish(run, outcome, value);
}

/** An after half sees only a whole response that the bottom really made. */
async function* afterBody(run: Run): Body {
  run.state = failing;
  run.rarely.generator = true;
  beneath(run, run.e, run.at + 1);
  const flow = run.rarely.flows?.at(-1) as LinkFlow;
  let value: unknown;
  try {
    value = await flow.whole();
  } catch (error) {
    return reject(run, error);
  }
  if (run.reached < 2 || run.rare?.abandoned === true || run.d.rules.refused?.(value) === true)
    return yield* rest(run, 'passed');
  run.state = running;
  return yield* linkBody(run, (run.seat as Seat).hook, (run.seat as Seat).generator);
}

async function* bottomBody(run: Run): Body {
  const { rules, input } = run.d;
  run.since = performance.now();
  reach(run, 1);
  let source: AsyncIterator<unknown, unknown> | undefined;
  let value: unknown;
  try {
    value = await input.bottom(run.e as never, run);
    if (isStream(value)) {
      source = value[Symbol.asyncIterator]() as AsyncIterator<unknown, unknown>;
      for (;;) {
        const step = await source.next();
        if (step.done === true) {
          value = step.value;
          source = undefined;
          break;
        }
        run.rarely.chunks++;
        yield freezeCopy(step.value);
      }
    } else yield* rules.chunksOf?.(value) ?? [];
  } catch (error) {
    return run.state === settled ? undefined : reject(run, error);
  } finally {
    if (source?.return !== undefined) quiet(Promise.resolve(source.return()));
  }
  return run.state === settled ? value : made(run, value);
}
