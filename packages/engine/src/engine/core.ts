import { events } from '../events/catalogue.ts';
import type { EventDef } from '../events/define.ts';
import { TrotlineError } from '../events/errors.ts';
import type { DispatchInput, EventRules, Invocation, Kernel, Maybe, Origin, TraceEntry } from '../kernel/index.ts';
import type { Activity } from './activity.ts';
import type { Observers } from './observers.ts';
import type { Served } from './served.ts';
import type { Cause, EngineOptions } from './types.ts';

/** Whoever raises what no hook raised. */
export const hostOrigin: Origin = Object.freeze({ plugin: 'engine', tier: 'core' });

/** A dispatch as the engine raises it; `origin` is the host's own where none is named. */
export type RaiseInput = Omit<DispatchInput, 'origin'> & {
  readonly origin?: Origin;
  /** Told of the trace of this one dispatch, where it entered a link. */
  readonly onSettled?: (trace: () => readonly TraceEntry[]) => void;
};

/** What the parts of an engine share. */
export interface Core {
  readonly kernel: Kernel;
  readonly options: EngineOptions;
  readonly served: Served;
  readonly observers: Observers;
  readonly activity: Activity;
  /** Events that were raised. */
  readonly raised: Set<string>;
  /** Raises an event by its rules. */
  dispatch(rules: EventRules, input: RaiseInput): Maybe<unknown>;
  notice(name: string, data: Readonly<Record<string, unknown>>): void;
  /** Does a hook stand on this event? */
  hooked(event: string): boolean;
  /** The session's fields of a settings event. */
  envelope(event: string): Readonly<Record<string, unknown>>;
}

const catalogue = events as unknown as Readonly<Record<string, EventDef>>;

/** The definition of an event or an added op, or undefined. */
export const findEvent = (name: string, served: Served): EventDef | undefined =>
  (Object.hasOwn(catalogue, name) ? catalogue[name] : undefined) ?? (served.added(name) as EventDef | undefined);

/** The definition of an event. Throws `engine.no-event`. */
export function eventOf(name: string, served: Served): EventDef {
  const found = findEvent(name, served);
  if (found === undefined) {
    throw new TrotlineError('engine.no-event', { what: `"${name}" is not an event` });
  }
  return found;
}

/** A cause as the chain knows it. Only the engine makes them, so there are no others. */
export const asInvocation = (cause: Cause | undefined): Invocation | undefined => cause as Invocation | undefined;

/** The one sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : 'something that is no error was thrown';
}

/** Reads a stream to its end: its result. */
export async function drained(stream: AsyncGenerator<unknown, unknown, undefined>): Promise<unknown> {
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return step.value;
  }
}
