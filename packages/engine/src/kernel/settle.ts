import { performance } from './clock.ts';
import { AbortTurn } from './control.ts';
import { clip, type Fault, faultOf } from './failure.ts';
import { freezeCopy } from './freeze.ts';
import { childSettled, quiet } from './next.ts';
import { abandonBeneath, type Dispatch, hookOf, nameOf, type Run, resolved, settled } from './run.ts';
import { traceOf } from './trace.ts';
import type { Failure, Outcome } from './types.ts';

function close(run: Run): void {
  run.state = settled;
  if (run.inFlight > 0) abandonBeneath(run);
}

function finished(d: Dispatch): void {
  d.unlisten();
  if (d.first?.seat !== undefined) d.options.onSettled?.(d.rules.name, () => traceOf(d), d.input.origin);
}

/** A run's end with a value: the one place where it meets the run above. A handler's answer is its hook's. */
export function done(run: Run, outcome: Outcome, value: unknown, now: number): unknown {
  const failed = run.rare?.failed;
  if (failed !== undefined) {
    close(run);
    return done(failed, 'caught', value, now);
  }
  run.outcome = outcome;
  run.returned = value;
  close(run);
  if (run.parent === undefined) finished(run.d);
  else childSettled(run.parent, run.call, value, undefined, false, now);
  return value;
}

/** A run's end with a rejection. */
export function reject(run: Run, error: unknown): Promise<never> {
  const failed = run.rare?.failed;
  if (failed !== undefined) {
    close(run);
    return reject(failed, error);
  }
  run.stop(performance.now());
  run.outcome = 'rejected';
  if (run.seat === undefined) run.rarely.reason = faultOf(error).message;
  close(run);
  const promise = Promise.reject(error);
  if (run.parent === undefined) finished(run.d);
  else {
    quiet(promise);
    if (run.wait !== undefined) quiet(run.wait.promise);
    childSettled(run.parent, run.call, undefined, error, true, performance.now());
  }
  return promise;
}

/**
 * Judges what a hook returned. Valid: it stands in `run.returned`, with `passed` where it is the very thing that `next`
 * gave. Else the fault is returned.
 */
export function accept(run: Run, out: unknown): Fault | undefined {
  const hook = hookOf(run);
  const { d } = run;
  const { rules } = d;
  const passed = out === hook.lastValue && hook.lastState === resolved;
  let value = out;
  if (!passed || d.soft === true) {
    try {
      value = freezeCopy(out, false, d);
    } catch (error) {
      return {
        class: 'shape',
        message: `returned a value that cannot travel: ${clip(String((error as Error).message))}`,
        error,
      };
    }
  }
  if (!passed) {
    const misfit = run !== hook && out === undefined ? 'nothing' : rules.resultMisfit(value);
    if (misfit !== undefined) {
      const message = out === undefined ? 'returned nothing' : `returned the wrong shape (${clip(misfit)})`;
      return { class: 'shape', message };
    }
    if (rules.reconcile !== undefined) {
      const kept = rules.reconcile(value, hook.lastState === resolved ? hook.lastValue : undefined, run.link.owner);
      if (kept.misfit !== undefined) {
        return { class: 'shape', message: `returned what does not fit the result beneath (${clip(kept.misfit)})` };
      }
      if (kept.code !== undefined) run.note(kept.code);
      if (kept.value !== value) value = freezeCopy(kept.value, false, d);
    }
  }
  tellDropped(run);
  if (run.spent > run.limit) {
    const message = `answered after ${Math.round(run.spent)}ms of its own time, past its ${budgetText(run)} budget`;
    if (run.link.onFailure !== undefined && run.link.onFailure !== 'open' && run === hook)
      return { class: 'late', message };
    run.note('kernel.overrun', message);
    run.report('kernel.overrun', message);
  }
  run.outcome = passed ? 'passed' : 'returned';
  run.returned = value;
  return undefined;
}

/** A key left out of what was copied stands in the trace of the link that had it in hand. */
function tellDropped(run: Run): void {
  if (run.d.dropped !== true) return;
  run.d.dropped = false;
  run.note('kernel.dropped-key', '__proto__');
}

/** `10s`, `50ms`. */
export const budgetText = (run: Run): string => (run.limit < 1000 ? `${run.limit}ms` : `${run.limit / 1000}s`);

export const overBudget = (run: Run): Fault => ({ class: 'budget', message: `ran past its ${budgetText(run)} budget` });

/** Does a failure close the line? An `ask` that somebody takes on does not; nor does anything where events are only observed. */
export function closes(run: Run, failure: Failure): boolean {
  const { onFailure = 'open' } = run.link;
  if (onFailure === 'open') return false;
  if (run.d.rules.observe) {
    run.note('kernel.observe-open', 'the event is only observed, so there is nothing to refuse');
    return false;
  }
  if (onFailure === 'ask' && failure.beneath === 'none' && run.d.input.onAsk?.(run.link, failure) === true) {
    run.note('kernel.asked');
    return false;
  }
  return true;
}

/** The refusal that a closed failure answers with, or undefined where the event has none and the turn is to end. */
export function refusalOf(run: Run, failure: Failure): { readonly value: unknown } | AbortTurn {
  const { rules } = run.d;
  const text = refusalText(run, failure);
  if (rules.refusal === undefined) return new AbortTurn(nameOf(run), text);
  return { value: freezeCopy(rules.refusal(text)) };
}

function refusalText(run: Run, failure: Failure): string {
  try {
    const own = run.link.refusalText?.(failure);
    if (typeof own === 'string') return own;
  } catch {
    // The kernel's own words serve as well.
  }
  const subject = run.d.rules.subject ?? 'what lies beneath';
  const after = !failure.ran
    ? ''
    : failure.beneath === 'pending'
      ? `; ${subject} had started and was told to stop`
      : `; ${subject} ran, and its result is withheld`;
  return `${nameOf(run)} failed and fails closed: ${failure.message}${after}`;
}
