import type { Origin } from '../../kernel/index.ts';
import type { CheckedCall, ToolAnswer, ToolCall, ToolRun, Verdict } from '../types.ts';

export type Data = Readonly<Record<string, unknown>>;

/** What one call of `engine.tool` gathers on its way. */
export interface CallState {
  readonly call: ToolCall;
  readonly id: string;
  readonly run: (run: ToolRun) => ToolAnswer | Promise<ToolAnswer>;
  readonly origin: Origin;
  readonly dryRun: boolean;
  readonly aside: Data | undefined;
  /** How often the bottom answered. */
  bottoms: number;
  /** Failed hooks that want a person asked. */
  failures: Verdict | undefined;
  aborted: boolean;
  /** A settings hook wants the turn to end. */
  stop: string | undefined;
  /** The name of the hook's owner that answered or denied without the bottom. */
  answeredBy: string | undefined;
  /** The latest deny that hooks of tier `user` and inside it cannot loosen. */
  held: unknown;
}

/** A call as the gate and the records see it. */
export const checkedCall = (state: CallState, input: Data): CheckedCall => ({
  tool: state.call.tool,
  input,
  id: state.id,
  isReadOnly: state.call.isReadOnly === true,
  ...(state.call.agentId === undefined ? {} : { agentId: state.call.agentId }),
  ...(state.call.sessionId === undefined ? {} : { sessionId: state.call.sessionId }),
});
