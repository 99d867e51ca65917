import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { classic, more } from './classic.ts';
import { texts } from './parts.ts';

const preToolUse = defineEvent({
  name: 'classic.PreToolUse',
  doc: 'A tool is about to be checked. Its arguments stand beside `tool`, as at `tool.call`; `updatedInput` replaces all of them.',
  place: 'Inside `tool.call`, before the rules and `tool.check`.',
  fields: { tool: t.string, tool_use_id: t.string },
  open: true,
  result: t.object({
    allow: t.optional(t.oneOf(true)),
    ask: t.optional(t.string),
    deny: t.optional(t.string),
    updatedInput: t.optional(t.data),
    additionalContext: t.optional(texts),
    preventContinuation: t.optional(t.oneOf(true)),
    stopReason: t.optional(t.string),
  }),
  refusal: (reason) => ({ deny: reason }),
  world: 'classic',
  neutral: () => ({}),
});

const server = t.optional(t.json);
const use = { tool_name: t.string, tool_input: t.data };

/** Settings events about tools. */
export const classicToolEvents = {
  'classic.PreToolUse': preToolUse,
  'classic.PostToolUse': classic(
    'PostToolUse',
    'A tool ran and did not fail.',
    {
      ...use,
      tool_response: t.json,
      tool_use_id: t.string,
      duration_ms: t.optional(t.number),
      mcp_server: server,
    },
    { ...more, updatedToolOutput: t.optional(t.json), updatedMCPToolOutput: t.optional(t.json) },
  ),
  'classic.PostToolUseFailure': classic(
    'PostToolUseFailure',
    'A tool ran and failed.',
    {
      ...use,
      tool_use_id: t.string,
      error: t.string,
      is_interrupt: t.optional(t.boolean),
      duration_ms: t.optional(t.number),
      mcp_server: server,
    },
    more,
  ),
  'classic.PostToolBatch': classic(
    'PostToolBatch',
    'All tool calls of one answer of the model were settled.',
    {
      tool_calls: t.list(t.object({ ...use, tool_use_id: t.string, tool_response: t.optional(t.json) })),
    },
    more,
  ),
  'classic.PermissionDenied': classic(
    'PermissionDenied',
    'A call was denied.',
    { ...use, tool_use_id: t.string, reason: t.string, mcp_server: server },
    { retry: t.optional(t.oneOf(true)) },
  ),
  'classic.PermissionRequest': classic(
    'PermissionRequest',
    'A person is about to be asked about a call.',
    { ...use, permission_suggestions: t.optional(t.json), mcp_server: server },
    {
      decision: t.optional(
        t.union(
          t.object({
            behavior: t.oneOf('allow'),
            updatedInput: t.optional(t.data),
            updatedPermissions: t.optional(t.json),
          }),
          t.object({
            behavior: t.oneOf('deny'),
            message: t.optional(t.string),
            interrupt: t.optional(t.oneOf(true)),
          }),
        ),
      ),
    },
  ),
} as const;
