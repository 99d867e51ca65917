export { createEngine } from './engine/create.ts';
export type * from './engine/types.ts';
export { type EventMap, type EventName, events } from './events/catalogue.ts';
export { codes } from './events/codes.ts';
export { type Code, type ErrorDetail, type Place, placeText, TrotlineError } from './events/errors.ts';
export type {
  Failure,
  FailureClass,
  FailurePolicy,
  HookError,
  Lane,
  Matcher,
  Maybe,
  Next,
  Origin,
  Owner,
  Realm,
  Registration,
  Source,
  Stream,
  Tier,
  TraceEntry,
} from './kernel/index.ts';
export { AbortTurn, Control, HardAbort, HookFailure, isControl } from './kernel/index.ts';
