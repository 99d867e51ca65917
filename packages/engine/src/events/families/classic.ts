import { defineEvent } from '../define.ts';
import { type Fields, t } from '../shape.ts';
import { texts } from './parts.ts';

/** What every settings event says of where it comes from. */
const envelope = {
  session_id: t.optional(t.string),
  transcript_path: t.optional(t.string),
  cwd: t.optional(t.string),
  hook_event_name: t.optional(t.string),
  prompt_id: t.optional(t.string),
  permission_mode: t.optional(t.string),
  agent_id: t.optional(t.string),
  agent_type: t.optional(t.string),
  effort: t.optional(t.object({ level: t.string })),
} as const;

/** What every result may say. */
const common = {
  block: t.optional(t.string),
  preventContinuation: t.optional(t.oneOf(true)),
  stopReason: t.optional(t.string),
} as const;

/** A result with further context for the model. */
export const more = { additionalContext: t.optional(texts) } as const;

const writable = <F extends Fields>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).map(([key, shape]) => [key, t.write(shape)])) as F;

/** A settings event as hooks on the line see it: the body may be rewritten, the envelope not. */
export function classic<const N extends string, const F extends Fields, const R extends Fields>(
  name: N,
  doc: string,
  body: F,
  result: R,
) {
  return defineEvent({
    name: `classic.${name}`,
    doc,
    fields: { ...envelope, ...writable(body) },
    result: t.object({ ...common, ...result }),
    refusal: ((reason: string) => ({ block: reason })) as never,
    world: 'classic',
    neutral: (() => ({})) as never,
  });
}
