import { ensureTicking, performance, unwatch, type Watched, watch } from './clock.ts';
import { type Fault, KernelError } from './failure.ts';
import type { Findings } from './freeze.ts';
import type {
  AnyHook,
  BottomCall,
  DispatchInput,
  EventRules,
  Failure,
  Invocation,
  KernelOptions,
  Origin,
  Outcome,
  Seated,
  Stream,
  TraceNote,
} from './types.ts';

/** A link as the kernel keeps it: with its books, and its matcher made a test. */
export interface Seat extends Seated {
  calls: number;
  failures: number;
  handler: AnyHook | undefined;
  readonly fits: ((e: unknown) => boolean) | undefined;
  /** An async generator function: on a stream event it passes chunks live. */
  readonly generator: boolean;
}

/** How long a hook that was settled over may go on before it is reported. */
const lingerMs = 5_000;
const catchMs = 1_000;

/** A run's life: it may answer; it failed, and what stands in its place is being found; it is over. */
export const running = 0;
export const failing = 1;
export const settled = 2;

/** Where a run's latest `next` call stands. */
export const uncalled = 0;
export const pending = 1;
export const resolved = 2;
export const rejected = 3;

/** What a `next` call on a stream event streams. */
export interface Flow extends Stream<unknown, unknown> {
  /** Whose clock stands while it is pulled. */
  reader: Run | undefined;
  /** Takes the rest in without showing it, for a link that wants the whole response. */
  whole(): Promise<unknown>;
}

/** One raising of one event. */
export class Dispatch implements Findings {
  soft: boolean | undefined = undefined;
  dropped: boolean | undefined = undefined;
  /** All runs in the order they were entered. */
  first: Run | undefined = undefined;
  latest: Run | undefined = undefined;
  private onInterrupt: (() => void) | undefined = undefined;

  readonly rules: EventRules;
  readonly input: DispatchInput;
  readonly chain: readonly Seat[];
  readonly options: KernelOptions;
  /** Runs the chain from a place on. */
  readonly step: (d: Dispatch, at: number, e: unknown, parent: Run | undefined, now: number) => unknown;

  constructor(
    rules: EventRules,
    input: DispatchInput,
    chain: readonly Seat[],
    options: KernelOptions,
    step: Dispatch['step'],
  ) {
    this.rules = rules;
    this.input = input;
    this.chain = chain;
    this.options = options;
    this.step = step;
  }

  /** The host's signal is listened to once, and only if a hook read its own. */
  listen(signal: AbortSignal): void {
    if (this.onInterrupt !== undefined) return;
    this.onInterrupt = () => {
      for (let run = this.first; run !== undefined; run = run.entered) run.abort(signal.reason);
    };
    signal.addEventListener('abort', this.onInterrupt, { once: true });
  }

  unlisten(): void {
    if (this.onInterrupt !== undefined) this.input.signal?.removeEventListener('abort', this.onInterrupt);
  }
}

/** What most runs never need. */
class Rare {
  /** This run is a `.catch` handler's: whose failure it answers. */
  failed: Run | undefined = undefined;
  failure: Failure | undefined = undefined;
  /** Its dialect's test of the event threw before it was entered. */
  thrown: { readonly error: unknown } | undefined = undefined;
  /** What the latest `next` call to reject rejected with. */
  lastError: unknown = undefined;
  control: unknown = undefined;
  code: string | undefined = undefined;
  reason: string | undefined = undefined;
  notes: TraceNote[] | undefined = undefined;
  /** A run further out settled this dispatch. */
  abandoned = false;
  controller: AbortController | undefined = undefined;
  why: unknown = undefined;
  /** On a stream event: does it yield chunks itself, what its `next` calls stream, how much it has passed on. */
  generator = false;
  flows: Flow[] | undefined = undefined;
  chunks = 0;
  /** Own time of the chunks before this one, where each has a budget to itself. */
  spentBefore = 0;
  /** What its `next` calls stream, while a plain function has not returned yet. */
  held: Flow[] | undefined = undefined;
}

/** A run whose hook returned a promise, as the ticker watches it. */
export class Wait implements Watched {
  earlier: Watched | undefined = undefined;
  later: Watched | undefined = undefined;
  lingerAt = 0;
  /** What is awaited in the hook's place. */
  readonly promise: Promise<unknown>;
  settle!: (value: unknown) => void;
  readonly run: Run;
  readonly expire: (run: Run) => void;

  constructor(run: Run, expire: (run: Run) => void) {
    this.run = run;
    this.expire = expire;
    this.promise = new Promise((settle) => {
      this.settle = settle;
    });
    watch(this);
  }

  get holds(): boolean {
    return this.lingerAt === 0;
  }
  left(now: number): number {
    if (this.lingerAt !== 0) return this.lingerAt - now;
    const { since, limit, spent } = this.run;
    return since === 0 ? Infinity : limit - spent - (now - since);
  }
  due(): void {
    if (this.lingerAt === 0) {
      this.expire(this.run);
      return;
    }
    unwatch(this);
    if (this.run.waits > 0) return;
    this.run.report('kernel.linger', `still runs ${lingerMs / 1000}s after it was settled over`);
  }

  /** Nobody waits for its answer any more; if it goes on all the same, that is reported. */
  linger(): void {
    if (this.later === undefined || this.lingerAt !== 0) return;
    this.lingerAt = performance.now() + lingerMs;
    ensureTicking();
  }
}

/**
 * One entry of one link, or of the bottom, in one dispatch. A class for its fixed shape, and a small one: one is made for
 * each link of each dispatch.
 */
export class Run implements Invocation, BottomCall {
  readonly d: Dispatch;
  /** Its place in the chain. The bottom's is the chain's length. */
  readonly at: number;
  readonly seat: Seat | undefined;
  readonly e: unknown;
  /** The run whose `next` entered this one, and which of its calls it was. */
  readonly parent: Run | undefined;
  readonly call: number;
  /** How many stand further out in the trace. */
  depth = 0;
  /** What its latest `next` call entered first. */
  child: Run | undefined = undefined;
  /** The run entered after this one. */
  entered: Run | undefined = undefined;
  state = running;

  /** Own time so far; since when the clock runs, 0 while it stands; how many `next` calls and ops it stands for. */
  spent = 0;
  since = 0;
  waits = 0;

  calls = 0;
  inFlight = 0;
  lastState = uncalled;
  lastOut: unknown = undefined;
  lastValue: unknown = undefined;
  /** 1: the bottom started beneath; 2: it made a result. */
  reached = 0;

  outcome: Outcome | undefined = undefined;
  returned: unknown = undefined;
  wait: Wait | undefined = undefined;
  rare: Rare | undefined = undefined;

  constructor(d: Dispatch, at: number, seat: Seat | undefined, e: unknown, parent: Run | undefined) {
    this.d = d;
    this.at = at;
    this.seat = seat;
    this.e = e;
    this.parent = parent;
    this.call = parent === undefined ? 0 : parent.calls;
    if (d.latest === undefined) d.first = this;
    else d.latest.entered = this;
    d.latest = this;
  }

  get rarely(): Rare {
    this.rare ??= new Rare();
    return this.rare;
  }

  get link(): Seated {
    return this.seat as Seated;
  }
  get cause(): Invocation | undefined {
    return this.d.input.cause;
  }
  get event(): string {
    return this.d.rules.name;
  }
  get origin(): Origin {
    return this.d.input.origin;
  }
  get dryRun(): boolean {
    return this.d.input.dryRun === true;
  }
  /** Milliseconds of own time. */
  get limit(): number {
    return this.rare?.failed === undefined ? (this.seat?.budgetMs ?? this.d.rules.budgetMs) || Infinity : catchMs;
  }

  get signal(): AbortSignal {
    const rare = this.rarely;
    if (rare.controller === undefined) {
      rare.controller = new AbortController();
      const host = this.d.input.signal;
      if (rare.why !== undefined) rare.controller.abort(rare.why);
      else if (host?.aborted) rare.controller.abort(host.reason);
      else if (host !== undefined) this.d.listen(host);
    }
    return rare.controller.signal;
  }

  /** Fires the signal, also one that is read later. A settled run is left alone: nobody waits for it. */
  abort(why: unknown): void {
    if (this.state === settled) return;
    const rare = this.rarely;
    rare.why ??= why;
    rare.controller?.abort(why);
  }

  note(code: string, reason?: string): void {
    const rare = hookOf(this).rarely;
    rare.notes ??= [];
    if (rare.notes.length < 50) rare.notes.push(reason === undefined ? { code } : { code, reason });
  }

  report(code: string, message: string, failure?: Failure): void {
    const { options, rules } = this.d;
    options.onReport?.({
      code,
      event: rules.name,
      link: this.link,
      message,
      ...(failure === undefined ? {} : { failure }),
    });
  }

  pause(): void {
    if (this.waits++ === 0) this.stop(performance.now());
  }
  resume(): void {
    if (this.waits > 0 && --this.waits === 0) this.start(performance.now());
  }
  stop(now: number): void {
    if (this.since === 0) return;
    this.spent += now - this.since;
    this.since = 0;
  }
  start(now: number): void {
    if (this.state !== running) return;
    this.since = now;
    if (this.wait !== undefined) ensureTicking();
  }
}

/** A hook's name for people: its owner's, and its own where it has one. */
export function nameOf(run: Run): string {
  const { owner, name } = run.link;
  return name === undefined || name === owner.name ? owner.name : `${owner.name} ${name}`;
}

/** The run of the hook itself, also from its handler's. */
export const hookOf = (run: Run): Run => run.rare?.failed ?? run;

/** Whatever still runs beneath a settled run is told so, and cannot go on downwards. */
export function abandonBeneath(run: Run): void {
  for (let other = run.entered; other !== undefined; other = other.entered) {
    if (other.state === settled || other.rare?.abandoned) continue;
    let above = other.parent;
    while (above !== undefined && above !== run) above = above.parent;
    if (above === undefined) continue;
    other.rarely.abandoned = true;
    other.abort(new KernelError('abandoned', 'A hook further out has settled this dispatch'));
    other.wait?.linger();
  }
}

/** What a failing hook's handler, its refusal and its books are told. */
export function failureOf(run: Run, fault: Fault): Failure {
  const beneath = run.lastState === uncalled ? 'none' : run.lastState === pending ? 'pending' : 'settled';
  return { ...fault, code: `kernel.${fault.class}`, beneath, ran: run.reached > 0 };
}
