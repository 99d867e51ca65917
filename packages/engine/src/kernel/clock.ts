/**
 * The platform's own clock and timers, taken when the module loads: a test's fake ones do not drive budgets, and nobody
 * stops the ticker by replacing a global. (Read once also because in Node `performance` is a getter.)
 */
export const { performance, setTimeout } = globalThis;
const { setInterval, clearInterval } = globalThis;

/** Something pending whose time is watched. The list is intrusive: entering and leaving it costs four writes. */
export interface Watched {
  earlier: Watched | undefined;
  later: Watched | undefined;
  /** Milliseconds until it is due; Infinity while its clock stands. */
  left(now: number): number;
  /** Does it keep the process alive? */
  readonly holds: boolean;
  due(): void;
}

const period = 10;
const head: Watched = {
  earlier: undefined,
  later: undefined,
  left: () => Infinity,
  holds: false,
  due: () => undefined,
};
head.earlier = head;
head.later = head;

interface Timer {
  ref?(): void;
  unref?(): void;
}
let timer: Timer | undefined;
let last = 0;
let wasLate = false;

/**
 * One ticker serves all that is pending: a timer for each link would cost more than the link. It stops when no clock
 * runs. While one does, it holds the process: a budget that nobody waits for would leave a guard that never answers.
 */
function tick(): void {
  const now = performance.now();
  // After a stall, what the others waited for may have arrived: they get one turn of the loop before they are blamed.
  const late = now - last > 5 * period;
  const lenient = late && !wasLate;
  wasLate = late;
  last = now;
  const due: Watched[] = [];
  let running = false;
  let holds = false;
  for (let one = head.later as Watched; one !== head; one = one.later as Watched) {
    const left = one.left(now);
    if (left === Infinity) continue;
    running = true;
    holds ||= one.holds;
    if (left <= 0 && !lenient) due.push(one);
  }
  if (!running) {
    clearInterval(timer);
    timer = undefined;
  } else if (holds) timer?.ref?.();
  else timer?.unref?.();
  for (const one of due) if (one.later !== undefined) one.due();
}

/** Makes sure that the clocks that run are looked at. */
export function ensureTicking(): void {
  if (timer !== undefined) return;
  last = performance.now();
  wasLate = false;
  timer = setInterval(tick, period) as Timer;
}

export function watch(one: Watched): void {
  const tail = head.earlier as Watched;
  one.earlier = tail;
  one.later = head;
  tail.later = one;
  head.earlier = one;
  if (timer === undefined) ensureTicking();
}

export function unwatch(one: Watched): void {
  if (one.later === undefined) return;
  (one.earlier as Watched).later = one.later;
  one.later.earlier = one.earlier;
  one.earlier = undefined;
  one.later = undefined;
}
