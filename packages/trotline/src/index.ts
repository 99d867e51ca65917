/** A line with everyone's hooks on it, and the small agent that works on one. What a hook module imports stands here too. */
export * from '@trotline/engine';
export { type Agent, type AgentOptions, createAgent, defineTool, type TurnResult } from './agent/index.ts';
export type {
  Line,
  LineAnswer,
  LineAsker,
  LineProblem,
  LineQuestion,
  OpenLineOptions,
  OwnerState,
  Register,
} from './host/index.ts';
export { openLine } from './host/index.ts';
