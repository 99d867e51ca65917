import { performance } from './clock.ts';
import { isControl } from './control.ts';
import { faultOf, KernelError } from './failure.ts';
import { covers } from './match.ts';
import { tiers } from './order.ts';
import { rewrite } from './rewrite.ts';
import { hookOf, nameOf, pending, Run, rejected, resolved, running, settled, uncalled } from './run.ts';
import { traceBeneath } from './trace.ts';
import type { HookError, Next, Tier } from './types.ts';

export const noop = (): void => undefined;

/** A rejection that a hook may ignore without ending the process. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(noop);
  return promise;
}

export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Callable, frozen, and without anything of its own: all that `next` is, `NextTrap` makes it. */
const target = Object.freeze(() => undefined);

/**
 * `next` is a proxy: it costs the same as a closure, where a function with members of its own costs several times as
 * much, and each member is made only if it is read. `target` being frozen, nothing can be set on it.
 */
class NextTrap implements ProxyHandler<typeof target> {
  private readonly run: Run;
  constructor(run: Run) {
    this.run = run;
  }

  apply(_target: unknown, _self: unknown, args: readonly unknown[]): unknown {
    return descend(this.run, args[0], this.run.at + 1);
  }

  get(_target: typeof target, key: string | symbol): unknown {
    const run = this.run;
    const failed = run.rare?.failed;
    switch (key) {
      case 'to':
        return (e: unknown, tier: Tier) => descendTo(run, e, tier);
      case 'is':
        return (pattern: string) => covers(pattern, run.event);
      case 'event':
      case 'origin':
      case 'signal':
      case 'dryRun':
        return run[key];
      case 'budget':
        return budgetOf(run);
      case 'trace':
        return traceBeneath(hookOf(run));
      case 'note':
        return (code: string, reason?: string) => run.note(code, reason);
      case 'called':
        return failed && failed.calls > 0;
      case 'error':
        return failed && errorOf(failed);
      default:
        return Reflect.get(target, key);
    }
  }
}

export const nextOf = (run: Run): Next => new Proxy(target, new NextTrap(run)) as unknown as Next;

function budgetOf(run: Run): Next['budget'] {
  return Object.freeze({
    ms: run.limit === Infinity ? 0 : run.limit,
    get remainingMs() {
      const used = run.spent + (run.since === 0 ? 0 : performance.now() - run.since);
      return Math.max(0, run.limit - used);
    },
  });
}

function errorOf(run: Run): HookError {
  const { lastState, limit } = run;
  const { failure, lastError } = run.rarely;
  const kind = failure?.class === 'budget' ? 'timeout' : 'throw';
  const message = kind === 'throw' ? failure?.message : lastState === rejected ? faultOf(lastError).message : undefined;
  const budget = limit === Infinity ? 0 : limit;
  return Object.freeze({
    kind,
    class: failure?.class ?? 'throw',
    budget,
    ...(message === undefined ? {} : { message }),
  });
}

const refuse = (run: Run, code: string, message: string): Promise<never> =>
  quiet(Promise.reject(new KernelError(code, `${nameOf(run)}: ${message}`, 'rewrite')));

/** Everything a `next` call goes through before what lies beneath runs. */
function descend(run: Run, given: unknown, at: number): unknown {
  if (run.state !== running) return refuse(run, 'late-next', `next() at ${run.event} came after the hook was settled`);
  if (run.rare?.abandoned) {
    return refuse(run, 'abandoned', `next() at ${run.event} came after a hook further out settled the dispatch`);
  }
  const hook = hookOf(run);
  const control = hook.rare?.control;
  if (control !== undefined) return quiet(Promise.reject(control));
  // A handler's next, and an after half's, tells again what the run beneath came to.
  if (hook.lastState !== uncalled && (run !== hook || run.seat?.half === 'after')) return replay(run, hook);
  if (given === undefined) return refuse(run, 'no-argument', `next() at ${run.event} needs the event: next(e)`);
  let e = run.e;
  if (given !== e) {
    try {
      e = rewrite(run, given);
    } catch (error) {
      return refuse(run, error instanceof KernelError ? error.code.slice(7) : 'misfit', (error as Error).message);
    }
  }
  return run === hook ? beneath(hook, e, at) : wait(run, beneath(hook, e, at));
}

function replay(run: Run, hook: Run): unknown {
  const flow = hook.rare?.flows?.at(-1);
  if (flow !== undefined) {
    flow.reader = run;
    return run.rare?.generator ? flow : flow.whole();
  }
  return hook.lastState === resolved ? hook.lastValue : wait(run, hook.lastOut);
}

/** A handler's clock stands while it waits for what its hook had called. */
function wait(run: Run, out: unknown): unknown {
  if (isPromise(out) && run !== hookOf(run)) {
    run.pause();
    out.then(
      () => run.resume(),
      () => run.resume(),
    );
  }
  return out;
}

/** Goes on at a tier further in; the links between are passed by and say so in the trace. */
function descendTo(run: Run, given: unknown, tier: Tier): unknown {
  const { owner } = run.link;
  const allowed: readonly Tier[] =
    owner.tier === 'prepend' ? ['append', 'builtin', 'core'] : owner.tier === 'append' ? ['core'] : [];
  if (!allowed.includes(tier)) {
    const may = allowed.length === 0 ? 'may not call next.to' : `may name ${allowed.join(', ')}`;
    return refuse(
      run,
      'to',
      `next.to(e, ${JSON.stringify(String(tier))}) at ${run.event}: an owner of tier ${owner.tier} ${may}`,
    );
  }
  const { chain } = run.d;
  let at = run.at + 1;
  while (at < chain.length && tiers.indexOf((chain[at] as (typeof chain)[number]).owner.tier) < tiers.indexOf(tier))
    at++;
  return descend(run, given, at);
}

/** Runs what lies beneath; the hook's clock stands meanwhile. Never throws. */
export function beneath(run: Run, e: unknown, at: number): unknown {
  const now = performance.now();
  // A stream stops the clock each time it is pulled, not when it is asked for.
  if (!run.d.rules.stream && run.waits++ === 0) run.stop(now);
  run.calls++;
  run.inFlight++;
  run.lastState = pending;
  run.child = undefined;
  const { d } = run;
  for (let i = run.at + 1; i < at; i++) bypass(run, i, e);
  const out = d.step(d, at, e, run, now);
  run.lastOut = out;
  return out;
}

function bypass(run: Run, at: number, e: unknown): void {
  const ghost = new Run(run.d, at, run.d.chain[at], e, run);
  ghost.state = settled;
  ghost.outcome = 'skipped';
  ghost.rarely.code = 'kernel.bypassed';
  ghost.rarely.reason = `bypassed by ${run.link.owner.name}`;
  attach(ghost, run);
}

/** Hangs a run in at the inner end of what its parent's call has entered. */
export function attach(run: Run, parent: Run | undefined): void {
  if (parent === undefined) {
    // Links passed by outermost have no parent to hang from; they stand in the dispatch's own trace.
    for (let r = run.d.first; r !== run && r !== undefined; r = r.entered) run.depth++;
    return;
  }
  let above = parent;
  while (above.child !== undefined) above = above.child;
  above.child = run;
  run.depth = above.depth + 1;
}

/** Told by a run that settled to the run whose `next` entered it. */
export function childSettled(
  parent: Run,
  call: number,
  value: unknown,
  error: unknown,
  failed: boolean,
  now: number,
): void {
  parent.inFlight--;
  if (failed) {
    parent.rarely.lastError = error;
    if (isControl(error)) parent.rarely.control = error;
  }
  if (call === parent.calls) {
    parent.lastState = failed ? rejected : resolved;
    parent.lastValue = value;
  }
  if (!parent.d.rules.stream && --parent.waits === 0) parent.start(now);
}
