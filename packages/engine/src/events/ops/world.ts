import { t } from '../shape.ts';
import { defineOp, given } from './define.ts';

/** A timer of a hook. */
export interface Timer {
  cancel(): void;
}

export interface RunInit {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly auth?: string;
  readonly socketPath?: string;
}

const init = t.optional(t.data);

/** Ops on time, processes and the network. */
export const worldOps = {
  'clock.now': defineOp({
    name: 'clock.now',
    doc: 'Milliseconds since the epoch.',
    fields: {},
    args: () => ({}),
    value: t.number,
    changes: false,
  }),
  'clock.sleep': defineOp({
    name: 'clock.sleep',
    doc: 'Waits. It counts against the hook’s own time.',
    fields: { ms: t.number },
    args: (ms: number, _options?: { readonly signal?: AbortSignal }) => ({ ms }),
    value: t.json,
    changes: false,
  }),
  'clock.after': defineOp({
    name: 'clock.after',
    doc: 'Calls a function once, later. Answers at once with `{ cancel() }`.',
    fields: { ms: t.number },
    args: (ms: number, _call: () => unknown) => ({ ms }),
    value: t.json,
    changes: false,
  }),
  'clock.every': defineOp({
    name: 'clock.every',
    doc: 'Calls a function again and again, every millisecond at most. Answers at once with `{ cancel() }`.',
    fields: { ms: t.number },
    args: (ms: number, _call: () => unknown) => ({ ms }),
    value: t.json,
    changes: false,
  }),
  'http.fetch': defineOp({
    name: 'http.fetch',
    doc: 'Fetches over http or https; the whole body as text.',
    fields: { url: t.string, init },
    args: (url: string, init?: FetchInit) => given({ url, init: init as Record<string, unknown> | undefined }),
    value: t.object({
      status: t.number,
      ok: t.optional(t.boolean),
      headers: t.optional(t.record(t.string)),
      text: t.string,
    }),
    changes: true,
  }),
  'process.run': defineOp({
    name: 'process.run',
    doc: 'Runs a program without a shell, for 30 s or up to 10 min; 4 MiB of each stream.',
    fields: { argv: t.list(t.string), init },
    args: (argv: readonly string[], init?: RunInit) =>
      given({ argv, init: init as Record<string, unknown> | undefined }),
    value: t.object({
      exitCode: t.number,
      stdout: t.string,
      stderr: t.string,
      isStdoutTruncated: t.optional(t.boolean),
      isStderrTruncated: t.optional(t.boolean),
    }),
    changes: true,
  }),
  'process.spawn': defineOp({
    name: 'process.spawn',
    doc: 'Runs a program and streams what it prints. Leaving the loop kills it.',
    fields: {
      argv: t.list(t.string),
      cwd: t.optional(t.string),
      env: t.optional(t.record(t.string)),
      input: t.optional(t.string),
    },
    args: (spec: {
      readonly argv: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly input?: string;
    }) => given({ argv: spec.argv, cwd: spec.cwd, env: spec.env, input: spec.input }),
    value: t.object({ code: t.nullable(t.number), signal: t.optional(t.nullable(t.string)) }),
    stream: t.object({ stream: t.oneOf('stdout', 'stderr'), text: t.string }),
    changes: true,
  }),
} as const;
