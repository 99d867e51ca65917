import type { ToolDefinition } from '../models/types.ts';

/** What a tool is handed beside its input. */
export interface ToolContext {
  /** Paths are relative to this. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly toolUseId: string;
  /** The subagent that calls, absent on the main loop. */
  readonly agentId?: string;
}

/** What came of a call: the record that hooks read, and the text that the model reads. */
export interface ToolOutcome {
  readonly result: unknown;
  readonly text: string;
  readonly isError?: true;
}

/** A tool of the agent. */
export interface Tool extends ToolDefinition {
  /** It changes nothing, wherever it is pointed: may run beside others of its kind. */
  readonly isReadOnly: boolean;
  /** What is wrong with an input, or nothing. Asked again after the last rewrite. */
  check(input: Readonly<Record<string, unknown>>): string | undefined;
  /** Runs a checked input. Throws for what it cannot do; the message is for the model. */
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
  /** Ends what the tool left running. */
  close?(): Promise<void>;
}
