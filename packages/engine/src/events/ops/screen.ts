import { kindOrigin } from '../families/parts.ts';
import { t } from '../shape.ts';
import { defineOp, given } from './define.ts';

const pane = {
  id: t.string,
  title: t.optional(t.string),
  focus: t.optional(t.oneOf(true)),
  closeOnEscape: t.optional(t.oneOf(true)),
  holdToasts: t.optional(t.oneOf(true)),
  rows: t.optional(t.number),
  columns: t.optional(t.number),
};

/** What a mod asks of a pane. The flags are `true` or left out. */
export interface PaneSpec {
  readonly id: string;
  readonly title?: string;
  readonly focus?: true;
  readonly closeOnEscape?: true;
  readonly holdToasts?: true;
  readonly rows?: number;
  readonly columns?: number;
}

/** Ops on the screen. */
export const screenOps = {
  'ui.toast': defineOp({
    name: 'ui.toast',
    doc: 'Shows a line for a while: 4 s, or 1 to 60,000 ms.',
    fields: { text: t.string, timeoutMs: t.optional(t.number) },
    args: (text: string, options: { readonly timeoutMs?: number } = {}) =>
      given({ text, timeoutMs: options.timeoutMs }),
    value: t.json,
    changes: true,
    silent: true,
  }),
  'ui.status': defineOp({
    name: 'ui.status',
    doc: 'One standing line for each mod; undefined clears it.',
    fields: { text: t.optional(t.string) },
    args: (text?: string) => given({ text }),
    value: t.json,
    changes: true,
    silent: true,
  }),
  'ui.log': defineOp({
    name: 'ui.log',
    doc: 'A line in the transcript or the debug log, unread by the model.',
    fields: { text: t.string, to: t.oneOf('transcript', 'debug') },
    args: (text: string, options: { readonly to?: 'transcript' | 'debug' } = {}) => ({
      text,
      to: options.to ?? 'transcript',
    }),
    value: t.json,
    changes: true,
    silent: true,
  }),
  'ui.notice': defineOp({
    name: 'ui.notice',
    doc: 'A line where a person is asked about a call; undefined clears it.',
    fields: { tool_use_id: t.string, text: t.optional(t.string) },
    args: (tool_use_id: string, text?: string) => given({ tool_use_id, text }),
    value: t.json,
    changes: true,
    silent: true,
  }),
  'ui.invalidate': defineOp({
    name: 'ui.invalidate',
    doc: 'Has an event that is cached raised again.',
    fields: { event: t.string },
    args: (event: string) => ({ event }),
    value: t.json,
    changes: true,
    silent: true,
  }),
  'ui.open': defineOp({
    name: 'ui.open',
    doc: 'Opens a pane.',
    fields: pane,
    args: (spec: PaneSpec) => ({ ...spec }),
    value: t.object({ isPlaced: t.boolean, reason: t.optional(t.string) }),
    changes: true,
  }),
  'ui.close': defineOp({
    name: 'ui.close',
    doc: 'Closes a pane.',
    fields: { id: t.string, origin: kindOrigin },
    pinned: ['origin'],
    args: ({ id }: { readonly id: string }) => ({ id, origin: { kind: 'plugin' } }),
    value: t.json,
    changes: true,
  }),
  'ui.panes': defineOp({
    name: 'ui.panes',
    doc: 'The panes there are.',
    fields: {},
    args: () => ({}),
    value: t.list(t.json),
    changes: false,
  }),
  'ui.selection': defineOp({
    name: 'ui.selection',
    doc: 'The selected text, or nothing.',
    fields: {},
    args: () => ({}),
    value: t.json,
    changes: false,
  }),
  'ui.copy': defineOp({
    name: 'ui.copy',
    doc: 'Copies a text to the clipboard.',
    fields: { text: t.string, surface: t.optional(t.string) },
    args: ({ text, surface }: { readonly text: string; readonly surface?: string }) => given({ text, surface }),
    value: t.object({ isCopied: t.boolean, reason: t.optional(t.string) }),
    changes: true,
  }),
  'ui.blit': defineOp({
    name: 'ui.blit',
    doc: 'Repaints a raster or an image in place.',
    fields: { args: t.json },
    args: (args: unknown) => ({ args }),
    value: t.json,
    changes: true,
  }),
} as const;
