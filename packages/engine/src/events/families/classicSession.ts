import { t } from '../shape.ts';
import { classic, more } from './classic.ts';
import { texts } from './parts.ts';

const stop = {
  stop_hook_active: t.boolean,
  last_assistant_message: t.optional(t.string),
  background_tasks: t.optional(t.list(t.json)),
  session_crons: t.optional(t.list(t.json)),
};
const modelSwitch = {
  from_model: t.string,
  to_model: t.string,
  requested_model: t.nullable(t.string),
  source: t.oneOf('command', 'picker', 'sdk', 'auto', 'resume'),
  context_tokens: t.optional(t.number),
  prompt_cache_warm: t.optional(t.boolean),
  cache_ttl: t.optional(t.oneOf('5m', '1h')),
  estimated_cache_write_usd: t.optional(t.number),
  pricing: t.optional(t.json),
};

/** Settings events about prompts, sessions, turns and models. */
export const classicSessionEvents = {
  'classic.Notification': classic(
    'Notification',
    'The person is notified of something.',
    { message: t.string, title: t.optional(t.string), notification_type: t.string },
    {},
  ),
  'classic.UserPromptSubmit': classic(
    'UserPromptSubmit',
    'A prompt was submitted.',
    { prompt: t.string, source: t.optional(t.string), session_title: t.optional(t.string) },
    { ...more, sessionTitle: t.optional(t.string), suppressOriginalPrompt: t.optional(t.oneOf(true)) },
  ),
  'classic.UserPromptExpansion': classic(
    'UserPromptExpansion',
    'A command in a prompt was expanded.',
    {
      expansion_type: t.oneOf('slash_command', 'mcp_prompt'),
      command_name: t.string,
      command_args: t.string,
      command_source: t.optional(t.string),
      prompt: t.string,
    },
    { ...more, suppressOriginalPrompt: t.optional(t.oneOf(true)) },
  ),
  'classic.SessionStart': classic(
    'SessionStart',
    'A session started, resumed, or was cleared, compacted or forked.',
    {
      source: t.oneOf('startup', 'resume', 'clear', 'compact', 'fork'),
      model: t.optional(t.string),
      session_title: t.optional(t.string),
      seconds_since_last_response: t.optional(t.number),
      context_tokens: t.optional(t.number),
      prompt_cache_likely_expired: t.optional(t.boolean),
      estimated_cache_write_usd: t.optional(t.number),
    },
    {
      ...more,
      initialUserMessage: t.optional(t.string),
      sessionTitle: t.optional(t.string),
      watchPaths: t.optional(texts),
      reloadSkills: t.optional(t.oneOf(true)),
    },
  ),
  'classic.SessionEnd': classic('SessionEnd', 'A session ended.', { reason: t.string }, {}),
  'classic.Stop': classic('Stop', 'The agent is about to stop; `block` makes it go on.', stop, more),
  'classic.SubagentStop': classic(
    'SubagentStop',
    'A subagent is about to stop.',
    { ...stop, agent_transcript_path: t.optional(t.string) },
    more,
  ),
  'classic.StopFailure': classic(
    'StopFailure',
    'A turn ended because the model failed.',
    {
      error: t.string,
      error_details: t.optional(t.string),
      last_assistant_message: t.optional(t.string),
    },
    {},
  ),
  'classic.SubagentStart': classic('SubagentStart', 'A subagent started.', {}, more),
  'classic.PreCompact': classic(
    'PreCompact',
    'A conversation is about to be shortened.',
    { trigger: t.oneOf('manual', 'auto'), custom_instructions: t.nullable(t.string) },
    {},
  ),
  'classic.PostCompact': classic(
    'PostCompact',
    'A conversation was shortened.',
    { trigger: t.oneOf('manual', 'auto'), compact_summary: t.string },
    {},
  ),
  'classic.PreModelSwitch': classic('PreModelSwitch', 'The model is about to change.', modelSwitch, {
    permissionDecision: t.optional(t.oneOf('allow', 'deny', 'ask')),
    permissionDecisionReason: t.optional(t.string),
  }),
  'classic.PostModelSwitch': classic('PostModelSwitch', 'The model changed.', modelSwitch, more),
  'classic.Setup': classic('Setup', 'The host is set up.', { trigger: t.oneOf('init', 'maintenance') }, more),
} as const;
