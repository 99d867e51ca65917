import { usage } from '../families/parts.ts';
import { t } from '../shape.ts';
import { defineOp, given } from './define.ts';

type Block = { readonly text: string; readonly cache?: true };
const joined = (text: string | readonly Block[]): string =>
  typeof text === 'string' ? text : text.map((block) => block.text).join('');
const blocks = t.optional(t.list(t.json));
const answer = t.union(
  t.object({ isAnswered: t.oneOf(true), text: t.string, usage: t.optional(usage) }),
  t.object({
    isAnswered: t.oneOf(false),
    reason: t.oneOf('api-error', 'empty-reply', 'aborted', 'nothing-to-fork'),
    status: t.optional(t.nullable(t.number)),
    error: t.optional(t.string),
    usage: t.optional(usage),
  }),
);

/** A request of `$.model.complete`. */
export interface CompleteRequest {
  readonly model: string;
  readonly prompt: string | readonly Block[];
  readonly system?: string | readonly Block[];
  readonly maxTokens?: number;
  readonly effort?: string;
  readonly timeoutMs?: number;
}

/** Ops that talk: to a model, to MCP servers, aloud. */
export const talkOps = {
  'model.complete': defineOp({
    name: 'model.complete',
    doc: 'Asks a model. Failures of the provider are answers, not rejections.',
    fields: {
      model: t.string,
      prompt: t.string,
      system: t.optional(t.string),
      promptBlocks: blocks,
      systemBlocks: blocks,
      maxTokens: t.optional(t.number),
      effort: t.optional(t.string),
      timeoutMs: t.optional(t.number),
    },
    args: (
      { model, prompt, system, maxTokens, effort, timeoutMs }: CompleteRequest,
      _options?: { signal?: AbortSignal },
    ) =>
      given({
        model,
        prompt: joined(prompt),
        system: system === undefined ? undefined : joined(system),
        promptBlocks: typeof prompt === 'string' ? undefined : prompt,
        systemBlocks: system === undefined || typeof system === 'string' ? undefined : system,
        maxTokens,
        effort,
        timeoutMs,
      }),
    value: answer,
    changes: true,
  }),
  'model.classify': defineOp({
    name: 'model.classify',
    doc: 'Asks a model which of some labels a text has.',
    fields: { text: t.string, labels: t.list(t.string), options: t.optional(t.data) },
    args: (text: string, labels: readonly string[], options?: { readonly model?: string }) =>
      given({ text, labels, options: options as Record<string, unknown> | undefined }),
    value: t.union(t.string, t.nothing),
    changes: true,
  }),
  'model.fork': defineOp({
    name: 'model.fork',
    doc: 'Asks over the current conversation, without tools.',
    fields: { prompt: t.string },
    args: ({ prompt }: { readonly prompt: string }) => ({ prompt }),
    value: answer,
    changes: true,
  }),
  'audio.play': defineOp({
    name: 'audio.play',
    doc: 'Plays a clip to its end.',
    fields: { clip: t.json, shouldLoop: t.optional(t.boolean), gain: t.optional(t.number) },
    args: (
      clip: unknown,
      options: { readonly shouldLoop?: boolean; readonly gain?: number; readonly signal?: AbortSignal } = {},
    ) => given({ clip, shouldLoop: options.shouldLoop ?? false, gain: options.gain }),
    value: t.json,
    changes: true,
  }),
  'audio.speak': defineOp({
    name: 'audio.speak',
    doc: 'Speaks a text, of 4,096 characters at most.',
    fields: { text: t.string, voice: t.optional(t.string) },
    args: (text: string, options: { readonly voice?: string } = {}) => given({ text, voice: options.voice }),
    value: t.json,
    changes: true,
  }),
  'mcp.call': defineOp({
    name: 'mcp.call',
    doc: 'Calls a tool of a connected MCP server.',
    fields: { server: t.string, tool: t.string, args: t.optional(t.json) },
    args: (server: string, tool: string, args?: unknown) => given({ server, tool, args }),
    value: t.object({ content: t.list(t.json), isError: t.optional(t.boolean), structuredContent: t.optional(t.json) }),
    changes: true,
  }),
  'mcp.connect': defineOp({
    name: 'mcp.connect',
    doc: 'Connects a server of the mod’s own manifest.',
    fields: { server: t.string },
    args: (server: string) => ({ server }),
    value: t.object({
      isConnected: t.boolean,
      server: t.optional(t.string),
      reason: t.optional(t.string),
      message: t.optional(t.string),
    }),
    changes: true,
  }),
} as const;
