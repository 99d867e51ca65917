import type {
  DispatchInput,
  EventRules,
  LinkSpec,
  Owner,
  Registration,
  Report,
  TraceEntry,
} from '../../src/kernel/index.ts';
import { createKernel } from '../../src/kernel/index.ts';

export const owner = (name = 'mod', more: Partial<Owner> = {}): Owner => ({
  name,
  tier: 'user',
  source: 'program',
  lane: 'in-process',
  realm: 'inline',
  ...more,
});

/** A tool.call in small: `tool` and `id` pinned, the rest free; a result holds `text` or `deny`. */
export const rules = (more: Partial<EventRules> = {}): EventRules => ({
  name: 'tool.call',
  stream: false,
  observe: false,
  budgetMs: 10_000,
  pinned: (field) => field === 'tool' || field === 'id',
  eventMisfit: (e) => ((e as { cwd?: unknown }).cwd === undefined ? 'no { cwd }' : undefined),
  resultMisfit: (result) => {
    const fits = result !== null && typeof result === 'object' && ('text' in result || 'deny' in result);
    return fits ? undefined : 'neither { text } nor { deny }';
  },
  refusal: (reason) => ({ deny: reason }),
  refused: (result) => (result as { deny?: unknown }).deny !== undefined,
  subject: 'the tool',
  ...more,
});

export const event = { tool: 'Bash', id: 'c1', cwd: '/w', command: 'ls' };
export type Event = typeof event & Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: tests hand hooks of every shape to the kernel
export type Hook = (e: any, next: any, $: any) => unknown;

export interface Rig {
  on(hook: Hook, spec?: Partial<LinkSpec>): Registration;
  run(input?: Partial<DispatchInput>): Promise<unknown>;
  /** What the bottom was handed, in order. */
  readonly bottom: Event[];
  readonly reports: Report[];
  /** The trace of the latest dispatch that settled. */
  trace(): readonly TraceEntry[];
  readonly kernel: ReturnType<typeof createKernel>;
  readonly rules: EventRules;
}

/** A kernel with one event, a bottom that keeps what reached it, and hooks written `(e, next, $)`. */
export function rig(more: Partial<EventRules> = {}, answer: (e: Event) => unknown = () => ({ text: 'ran' })): Rig {
  const mine = rules(more);
  const bottom: Event[] = [];
  const reports: Report[] = [];
  let trace: () => readonly TraceEntry[] = () => [];
  const kernel = createKernel({
    dollar: (invocation) => invocation,
    rules: (name) => (name === mine.name ? mine : undefined),
    onReport: (report) => reports.push(report),
    onSettled: (_event, entries) => {
      trace = entries;
    },
  });
  return {
    kernel,
    rules: mine,
    bottom,
    reports,
    trace: () => trace(),
    on: (hook, spec = {}) =>
      kernel.register({ owner: owner(), pattern: mine.name, hook: ($, e, next) => hook(e, next, $), ...spec }),
    run: async (input = {}) =>
      kernel.dispatch(mine, {
        e: event,
        origin: { plugin: 'engine', tier: 'core' },
        bottom: (e) => {
          bottom.push(e);
          return answer(e);
        },
        ...input,
      }),
  };
}

/** A promise with its ends in hand. */
export function gate<T = void>(): { readonly promise: Promise<T>; open(value: T): void; fail(error: unknown): void } {
  let open!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

export const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Blocks the thread for longer than a budget in milliseconds. */
export function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** A hook that looks and passes on. */
export const passing =
  (see: (e: Event) => void): Hook =>
  (e, next) => {
    see(e);
    return next(e);
  };
