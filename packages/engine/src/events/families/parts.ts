import { t } from '../shape.ts';

/** Shapes that several families share. */
export const origin = t.object({ plugin: t.string, tier: t.oneOf('prepend', 'user', 'append', 'builtin', 'core') });
export const agentId = t.optional(t.string);
export const surface = t.nullable(t.oneOf('terminal', 'desktop', 'mobile', 'vscode'));
export const decision = t.oneOf('allow', 'ask', 'deny');
export const deny = t.object({ deny: t.string });
export const texts = t.list(t.string);
/** `{ kind, … }`: who or what put a prompt, a draft or a message in. */
export const kindOrigin = t.object({ kind: t.string, name: t.optional(t.string), server: t.optional(t.string) });

export const usage = t.object({
  input_tokens: t.number,
  output_tokens: t.number,
  cache_read_input_tokens: t.optional(t.number),
  cache_creation_input_tokens: t.optional(t.number),
  model: t.optional(t.string),
});

export const stopReason = t.oneOf(
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'compaction',
  'refusal',
  'model_context_window_exceeded',
  null,
);

export const toolUse = t.object({ name: t.string, input: t.json });

/** A message of a conversation, as hooks read it. */
export const message = t.object({
  role: t.string,
  text: t.string,
  toolUses: t.optional(t.list(t.json)),
  toolResults: t.optional(t.list(t.json)),
  handle: t.optional(t.json),
});
