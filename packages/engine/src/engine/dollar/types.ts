import type { EventMap, OpName, ops } from '../../events/catalogue.ts';
import type { OpDef } from '../../events/ops/define.ts';
import type { Timer } from '../../events/ops/world.ts';
import type { Stream } from '../../kernel/index.ts';

type NounOf<K extends string> = K extends `${infer Noun}.${string}` ? Noun : never;
type MethodsOf<K extends string, Noun extends string> = K extends `${Noun}.${infer Method}` ? Method : never;

type Call<D> = D extends OpDef<string, infer _E, infer A, infer V> ? (...args: A) => Promise<V> : never;
/** Methods that answer at once, or with a stream. */
type Special = {
  readonly 'clock.after': (ms: number, call: () => unknown) => Timer;
  readonly 'clock.every': (ms: number, call: () => unknown) => Timer;
  readonly 'process.spawn': (
    ...args: Parameters<(typeof ops)['process.spawn']['args']>
  ) => Stream<{ readonly stream: 'stdout' | 'stderr'; readonly text: string }, { readonly code: number | null }>;
  readonly 'ui.toast': (...args: Parameters<(typeof ops)['ui.toast']['args']>) => void;
  readonly 'ui.status': (...args: Parameters<(typeof ops)['ui.status']['args']>) => void;
  readonly 'ui.log': (...args: Parameters<(typeof ops)['ui.log']['args']>) => void;
  readonly 'ui.notice': (...args: Parameters<(typeof ops)['ui.notice']['args']>) => void;
  readonly 'ui.invalidate': (...args: Parameters<(typeof ops)['ui.invalidate']['args']>) => void;
};

type FromOps<Noun extends string> = {
  readonly [M in MethodsOf<OpName, Noun>]: `${Noun}.${M}` extends keyof Special
    ? Special[`${Noun}.${M}`]
    : `${Noun}.${M}` extends OpName
      ? Call<(typeof ops)[`${Noun}.${M}`]>
      : never;
};

type Partly<E, K extends keyof E> = Partial<E> & Pick<E, K>;
type Result<N extends keyof EventMap> = Promise<EventMap[N]['result']>;

/** Engine events that are methods of `$` too; they keep their own results. */
interface Raised {
  readonly tool: {
    call(
      call: { readonly tool: string; readonly consent?: string } & Readonly<Record<string, unknown>>,
    ): Result<'tool.call'>;
    check(call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }): Result<'tool.check'>;
  };
  readonly command: { run(call: { readonly command: string; readonly args?: string }): Result<'command.run'> };
  readonly config: {
    set(call: Pick<EventMap['config.set']['e'], 'key' | 'value'>): Result<'config.set'>;
  };
  readonly prompt: {
    submit(prompt: {
      readonly text: string;
      readonly asUser?: true;
      readonly attachments?: readonly unknown[];
    }): Result<'prompt.submit'>;
    fill(draft: Partly<EventMap['prompt.fill']['e'], 'text'>): Result<'prompt.fill'>;
    suggest(draft: { readonly text: string }): Result<'prompt.suggest'>;
    compose(partial?: Partial<EventMap['prompt.compose']['e']>): Result<'prompt.compose'>;
  };
  readonly agent: { spawn(spec: Partly<EventMap['agent.spawn']['e'], 'prompt'>): Result<'agent.spawn'> };
  readonly session: {
    send(message: {
      readonly to: string | { readonly sessionId: string } | { readonly agentId: string };
      readonly text: string;
    }): Result<'session.send'>;
    append(row: {
      readonly message: {
        readonly type: 'user' | 'system';
        readonly content: readonly Readonly<Record<string, unknown>>[];
      };
      readonly agentId?: string;
    }): Result<'session.append'>;
    compact(options?: { readonly instructions?: string }): Result<'session.compact'>;
  };
  readonly ui: {
    /** Asks the person: a call of `AskUserQuestion`. Resolves to the chosen label, or what was typed. */
    ask(
      question: string,
      labels:
        | readonly string[]
        | { readonly options?: readonly unknown[]; readonly header?: string; readonly multiSelect?: true },
    ): Promise<string>;
    scroll(spec: Readonly<Record<string, unknown>>): Result<'ui.scroll'>;
    focus(spec: Readonly<Record<string, unknown>>): Result<'ui.focus'>;
  };
  readonly telemetry: {
    log(record: Readonly<Record<string, unknown>>): Result<'telemetry.log'>;
    mark(record: Readonly<Record<string, unknown>>): Result<'telemetry.mark'>;
  };
  /** Who the hook belongs to. Not calls. */
  readonly plugin: { readonly name: string; readonly root: string };
}

/** The nouns of `$` that every host knows. Those it cannot serve reject with `engine.no-op`. */
export type Ops = {
  readonly [Noun in NounOf<OpName> | keyof Raised]: (Noun extends NounOf<OpName> ? FromOps<Noun> : unknown) &
    (Noun extends keyof Raised ? Raised[Noun] : unknown);
};
