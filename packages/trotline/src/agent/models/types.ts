/** A tool call as the model made it. `input` is an object; what was no object arrives as `{}` with `malformed` set. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The argument text as it came, when it was no JSON object. Such a call is answered with an error, never run. */
  readonly malformed?: string | undefined;
}

/** One message of a conversation. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly content: string;
      readonly isError?: boolean;
    };

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type `object`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What a request may ask of the model beside its messages, under the names that hooks know. Others are not sent. */
export interface ModelOptions {
  /** Further keys of the request's body, as the provider names them. What the request itself sets stays. */
  readonly extra_body?: Readonly<Record<string, unknown>>;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly stop?: readonly string[];
}

/** One request to a model, whole. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly options: ModelOptions;
  /** How hard a model that thinks is to think: low … max. */
  readonly effort?: string | number;
}

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded'
  | null;

/** Tokens, as the vendor's API counts them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number | undefined;
  readonly cache_creation_input_tokens?: number | undefined;
}

/** What a model streams. `index` numbers the parts of one answer; an `input` belongs to the `tool` of its index. */
export type Chunk =
  | { readonly kind: 'text' | 'thinking'; readonly index: number; readonly text: string }
  | { readonly kind: 'tool'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'input'; readonly index: number; readonly json: string }
  | { readonly kind: 'stop'; readonly stopReason: StopReason; readonly usage: Usage | null };

/** The whole answer. */
export interface ModelResponse {
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage | null;
}

/** Why a request is made again. */
export type RetryReason = 'timeout' | 'network' | 'rate_limit' | 'server_error';

export interface Retry {
  /** Counts from 1. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly reason: RetryReason;
  readonly error: string;
  readonly backoffMs: number;
}

export interface SendContext {
  readonly signal: AbortSignal;
  /** Told before each wait. */
  readonly onRetry?: (retry: Retry) => void;
}

/** A model that answers requests. */
export interface Model {
  /** As it was asked for: `anthropic/claude-…`, `script:demo.json`. */
  readonly id: string;
  /** Tokens of the context window, as far as known. */
  readonly contextWindow?: number;
  /** Streams the answer and returns it whole. Throws `agent.model-*`, `agent.context-full`, `agent.script-unmet`, or the signal's reason. */
  stream(request: ModelRequest, context: SendContext): AsyncGenerator<Chunk, ModelResponse>;
  /** The model of another name from the same source; a script answers to every name. Throws `agent.no-model`, `agent.no-key`. */
  sibling(id: string): Model;
}
