import { t } from '../shape.ts';
import { defineNotice } from './define.ts';

const call = {
  tool: t.string,
  toolUseId: t.string,
  agentId: t.optional(t.string),
  sessionId: t.optional(t.string),
};
const hook = { owner: t.string, hook: t.optional(t.string), event: t.optional(t.string) };

/** Notices of the line itself: its tool calls, hooks and observers. */
export const engineNotices = {
  'tool.started': defineNotice('tool.started', 'A tool runs: its decision is recorded.', { ...call, input: t.data }),
  'tool.ended': defineNotice('tool.ended', 'A call was answered, by its tool or in its place.', {
    ...call,
    input: t.data,
    ms: t.number,
    isError: t.boolean,
    textLength: t.number,
    aborted: t.optional(t.boolean),
    answeredBy: t.optional(t.string),
  }),
  'tool.skipped': defineNotice('tool.skipped', 'A tool did not run.', {
    ...call,
    reason: t.string,
    by: t.optional(t.string),
  }),
  'hook.failed': defineNotice('hook.failed', 'A hook failed.', {
    ...hook,
    class: t.optional(t.string),
    code: t.string,
    message: t.string,
    onFailure: t.optional(t.string),
  }),
  'hook.late': defineNotice('hook.late', 'A hook went on after it was settled over.', {
    ...hook,
    code: t.string,
    message: t.string,
  }),
  'hook.restarted': defineNotice('hook.restarted', 'The process or worker of a hook was started again.', {
    ...hook,
    attempt: t.optional(t.number),
    reason: t.optional(t.string),
  }),
  'hook.down': defineNotice('hook.down', 'The process or worker of a hook is not coming back by itself.', {
    ...hook,
    reason: t.string,
  }),
  'op.denied': defineNotice('op.denied', 'A call whose caller does not wait was denied.', {
    owner: t.string,
    op: t.string,
    reason: t.string,
  }),
  'timer.failed': defineNotice('timer.failed', 'The function of a hook’s timer threw.', {
    owner: t.string,
    message: t.string,
  }),
  'record.failed': defineNotice('record.failed', 'A decision or an outcome could not be recorded.', {
    ...call,
    message: t.string,
  }),
  'observer.failed': defineNotice('observer.failed', 'An observer threw.', { message: t.string, failures: t.number }),
} as const;
