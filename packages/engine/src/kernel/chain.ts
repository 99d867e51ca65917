import { performance, unwatch } from './clock.ts';
import { isControl } from './control.ts';
import { type Fault, faultOf, KernelError } from './failure.ts';
import { freezeCopy } from './freeze.ts';
import { attach, beneath, isPromise, nextOf, quiet } from './next.ts';
import {
  type Dispatch,
  failing,
  failureOf,
  hookOf,
  Run,
  resolved,
  running,
  type Seat,
  settled,
  uncalled,
  Wait,
} from './run.ts';
import { accept, closes, done, overBudget, refusalOf, reject } from './settle.ts';
import type { AnyHook, Failure, Invocation, Outcome } from './types.ts';

const { then } = Promise.prototype;
/** Links that may stand on the stack at once. */
const maxNested = 250;

/** Is this hook a cause of the dispatch? It is not entered again by what it brought about. */
function caused(cause: Invocation | undefined, seat: Seat): boolean {
  for (let c = cause; c !== undefined; c = c.cause) if (c.link === seat) return true;
  return false;
}

/** The next link from `at` on that this event is for. What is passed by on the way leaves its entry in the trace. */
export function seek(d: Dispatch, at: number, e: unknown, parent: Run | undefined): Run {
  const { chain, input } = d;
  for (let i = at; i < chain.length; i++) {
    const seat = chain[i] as Seat;
    if (seat.fits !== undefined && !seat.fits(e)) continue;
    if (input.passes?.(seat.owner) === true) continue;
    if (seat.when !== undefined) {
      try {
        if (!seat.when(e as Readonly<Record<string, unknown>>)) continue;
      } catch (error) {
        const run = new Run(d, i, seat, e, parent);
        attach(run, parent);
        run.rarely.thrown = { error };
        return run;
      }
    }
    const run = new Run(d, i, seat, e, parent);
    attach(run, parent);
    if (input.cause === undefined || !caused(input.cause, seat)) return run;
    run.state = settled;
    run.outcome = 'skipped';
    run.rarely.code = 'kernel.re-entry';
    run.rarely.reason = 'this hook caused the dispatch';
  }
  const bottom = new Run(d, chain.length, undefined, e, parent);
  attach(bottom, parent);
  return bottom;
}

/** Runs the chain from a place on. Answers a value or a promise; never throws. */
export function step(d: Dispatch, at: number, e: unknown, parent: Run | undefined, now: number): unknown {
  const run = seek(d, at, e, parent);
  if (run.seat === undefined) return runBottom(run, now);
  const thrown = run.rare?.thrown;
  if (thrown !== undefined) return threw(run, thrown.error);
  const { half, hook } = run.seat;
  if (half === 'after') return enterAfter(run);
  // Links call each other: a long chain goes on in a turn of its own now and then, or it would overflow the stack.
  if (run.depth % maxNested !== maxNested - 1 || d.rules.stream) return enter(run, hook, now);
  return quiet(Promise.resolve().then(() => enter(run, hook, performance.now())));
}

function enter(run: Run, hook: Seat['hook'], now: number): unknown {
  const { d } = run;
  run.since = now;
  if (run === hookOf(run)) (run.seat as Seat).calls++;
  let out: unknown;
  let isThenable: boolean;
  try {
    out = hook(d.options.dollar(run), d.soft === true ? freezeCopy(run.e) : run.e, nextOf(run));
    isThenable = typeof out === 'object' && out !== null && typeof (out as { then?: unknown }).then === 'function';
  } catch (error) {
    return threw(run, error);
  }
  return isThenable ? pend(run, out as PromiseLike<unknown>) : answered(run, out);
}

/** The hook returned a promise: it is watched, and what it comes to is judged then. */
function pend(run: Run, out: PromiseLike<unknown>): Promise<unknown> {
  const wait = new Wait(run, expired);
  run.wait = wait;
  // A hook's own promise is made quiet where it rejects; a handler's may be what the hook above was handed.
  if (run !== hookOf(run) && run.parent !== undefined) quiet(wait.promise);
  then.call(
    out instanceof Promise ? out : Promise.resolve(out),
    (value) => {
      unwatch(wait);
      if (run.state === running) wait.settle(answered(run, value));
      else late(run, 'answered');
    },
    (error) => {
      unwatch(wait);
      if (run.state === running) wait.settle(threw(run, error));
      else late(run, 'failed');
    },
  );
  return wait.promise;
}

export function late(run: Run, how: string): void {
  run.report('kernel.late', `${how} after its budget had run out; what it said was discarded`);
}

function expired(run: Run): void {
  run.abort(new KernelError('budget', `The hook ${overBudget(run).message}`));
  run.wait?.settle(failed(run, overBudget(run)));
  run.wait?.linger();
}

/** The hook gave a value. */
function answered(run: Run, out: unknown): unknown {
  const now = performance.now();
  run.stop(now);
  const hook = hookOf(run);
  if (hook.rare?.control !== undefined) return held(run, hook);
  const fault = accept(run, out);
  if (fault !== undefined) return failed(run, fault);
  if (run.outcome !== 'passed' && run.d.rules.observe) return observed(run, hook);
  return done(run, run.outcome as Outcome, run.returned, now);
}

/** A hook may not keep control from the host, whatever it answers. */
function held(run: Run, hook: Run): Promise<never> {
  run.note('kernel.control');
  return reject(run, hook.rare?.control);
}

/** On an event that is only observed, what beneath came to stands, and beneath always runs. */
function observed(run: Run, hook: Run): unknown {
  run.note('kernel.observed');
  if (run.rare?.abandoned)
    return reject(run, new KernelError('abandoned', 'A hook further out has settled this dispatch'));
  run.state = failing;
  const out = hook.lastState === uncalled ? beneath(hook, hook.e, hook.at + 1) : hook.lastOut;
  return follow(run, hook.lastState === resolved ? hook.lastValue : out, 'returned');
}

/** The hook threw or rejected. */
function threw(run: Run, error: unknown): unknown {
  const judged = judge(run, error);
  return 'up' in judged ? reject(run, judged.up) : failed(run, judged);
}

/** Is what a hook threw its failure, or something that travels on upwards? */
export function judge(run: Run, error: unknown): Fault | { readonly up: unknown } {
  run.stop(performance.now());
  const { rare } = hookOf(run);
  if (isControl(error)) return { up: error };
  if (rare?.control !== undefined) {
    run.note('kernel.control');
    return { up: rare.control };
  }
  // What came from beneath and is let through is not the hook's failure.
  if (rare?.lastError !== undefined && error === rare.lastError) return { up: error };
  // Nor is what a person's interrupt brings about. What is known already stands, unless a guard was still at work.
  const { signal } = run.d.input;
  if (signal?.aborted && !(hookOf(run).lastState === resolved && (run.link.onFailure ?? 'open') === 'open')) {
    run.note('kernel.interrupted');
    return { up: signal.reason };
  }
  return faultOf(error);
}

/** Books a hook's failure, once: its handler's own is only a note. */
export function book(run: Run, fault: Fault): void {
  const seat = run.seat as Seat;
  run.state = failing;
  seat.failures++;
  const failure = failureOf(run, fault);
  run.rarely.failure = failure;
  run.report(failure.code, failure.message, failure);
}

/** The run of a failed hook's handler, or of the hook where it is the handler that failed or none is there. */
export function handlerOf(run: Run, fault: Fault): Run {
  const hook = hookOf(run);
  if (run !== hook) {
    run.state = settled;
    run.note('kernel.catch-failed', fault.message);
    return hook;
  }
  book(run, fault);
  if (run.seat?.handler === undefined) return run;
  const handling = new Run(run.d, run.at, run.seat, run.e, run.parent);
  handling.rarely.failed = run;
  return handling;
}

function failed(run: Run, fault: Fault): unknown {
  run.stop(performance.now());
  // Nobody waits for it any more: nothing runs in its place.
  if (run.rare?.abandoned) return reject(run, fault.error ?? new KernelError('abandoned', fault.message));
  const next = handlerOf(run, fault);
  return next === hookOf(next) ? policy(next) : enter(next, next.seat?.handler as AnyHook, performance.now());
}

/** No handler answered: the hook's policy decides what stands in its place. */
function policy(run: Run): unknown {
  const failure = run.rare?.failure as Failure;
  if (run.rare?.control !== undefined) return held(run, run);
  if (closes(run, failure)) {
    const refusal = refusalOf(run, failure);
    return 'value' in refusal ? done(run, 'refused', refusal.value, performance.now()) : reject(run, refusal);
  }
  const outcome = outcomeOf(run, failure);
  if (run.lastState === resolved) return done(run, outcome, run.lastValue, performance.now());
  return follow(run, run.lastState === uncalled ? beneath(run, run.e, run.at + 1) : run.lastOut, outcome);
}

/** What a failure that closes nothing is called in the trace. */
export function outcomeOf(run: Run, failure: Failure): Outcome {
  if (failure.class === 'budget') return 'expired';
  return run.lastState === uncalled ? 'skipped' : 'kept';
}

/** The run comes to what a run beneath comes to. */
function follow(run: Run, out: unknown, outcome: Outcome): unknown {
  if (!isPromise(out)) return done(run, outcome, out, performance.now());
  const promise = out.then(
    (value) => done(run, outcome, value, performance.now()),
    (error) => reject(run, error),
  );
  return run.parent === undefined ? promise : quiet(promise);
}

/** An after half sees only a result that the bottom really made, never an answer, a refusal or a rejection. */
function enterAfter(run: Run): unknown {
  run.state = failing;
  const see = (value: unknown): unknown => {
    if (run.reached < 2 || run.rare?.abandoned === true || run.d.rules.refused?.(value) === true)
      return done(run, 'passed', value, performance.now());
    run.state = running;
    return enter(run, (run.seat as Seat).hook, performance.now());
  };
  const out = beneath(run, run.e, run.at + 1);
  if (!isPromise(out)) return see(out);
  const promise = out.then(see, (error) => reject(run, error));
  return run.parent === undefined ? promise : quiet(promise);
}

/** Says upwards that the bottom was reached: 1 when it starts, 2 when it made something. */
export function reach(bottom: Run, how: number): void {
  for (let run = bottom.parent; run !== undefined && run.reached < how; run = run.parent) run.reached = how;
}

function runBottom(run: Run, now: number): unknown {
  run.since = now;
  reach(run, 1);
  let out: unknown;
  try {
    out = run.d.input.bottom(run.e as never, run);
  } catch (error) {
    return reject(run, error);
  }
  if (!isPromise(out)) return made(run, out);
  const promise = out.then(
    (value) => made(run, value),
    (error) => reject(run, error),
  );
  return run.parent === undefined ? promise : quiet(promise);
}

/** The bottom's own result goes up frozen, like every other. */
export function made(run: Run, out: unknown): unknown {
  let value: unknown;
  try {
    value = freezeCopy(out, false, run.d);
  } catch (error) {
    return reject(run, error);
  }
  const now = performance.now();
  run.stop(now);
  reach(run, 2);
  return done(run, 'returned', value, now);
}
