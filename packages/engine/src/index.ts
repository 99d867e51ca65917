export { createEngine } from './engine/create.ts';
export type { Ops } from './engine/dollar/types.ts';
export type * from './engine/types.ts';
export {
  type CallableName,
  callable,
  type EventMap,
  type EventName,
  events,
  type OpName,
  ops,
} from './events/catalogue.ts';
export { codes } from './events/codes.ts';
export type { EventDef, World } from './events/define.ts';
export { type Code, type ErrorDetail, type Place, placeText, TrotlineError } from './events/errors.ts';
export { chunksOfResponse, type ModelChunk, type ModelResponse } from './events/families/chunks.ts';
export { type NoticeMap, type NoticeName, notices } from './events/notices/catalogue.ts';
export {
  namesOf,
  type Spelled,
  spell,
  type ToolInputs,
  type ToolName,
  type ToolWorld,
  tools,
  unspell,
} from './events/tools.ts';
export type {
  AnyHook,
  Failure,
  FailureClass,
  FailurePolicy,
  HookError,
  Lane,
  Matcher,
  MatcherNode,
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
  TraceNote,
} from './kernel/index.ts';
export { AbortTurn, Control, covers, fits, HardAbort, HookFailure, isControl, isHardAbort } from './kernel/index.ts';
