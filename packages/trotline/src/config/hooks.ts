import { resolve, sep } from 'node:path';
import type { Place } from '@trotline/engine';
import type { HookEntry, LayerContent, OwnTimes, Placed, ReadContext } from './content.ts';
import { shown } from './document.ts';
import { checkModes } from './hookEvents.ts';
import { checkPath } from './paths.ts';
import type { Reporter } from './problem.ts';
import type { HooksFile } from './schema.ts';
import type { HookTimeouts, OnError, ProcessHook } from './types.ts';

type BuiltinFile = NonNullable<HooksFile['builtins']>[string];
type ProcessFile = NonNullable<HooksFile['processes']>[string];
type CommonFile = Pick<BuiltinFile, 'enabled' | 'priority' | 'on_error' | 'timeout_ms' | 'approval_timeout_ms'>;

/** A timeout below this many milliseconds was probably meant in seconds. */
const SHORT_MS = 50;

const failures: Readonly<Record<string, OnError>> = {
  continue: 'open',
  open: 'open',
  deny: 'closed',
  closed: 'closed',
  ask: 'ask',
  abort: 'abort',
};

/** The one table of spellings of `on_error`. */
export const onErrorOf = (spelling: string | undefined): { onError?: OnError } => {
  const onError = spelling === undefined ? undefined : failures[spelling];
  return onError === undefined ? {} : { onError };
};

/** Reads the `hooks` key. */
export function readHooks(
  context: ReadContext,
  file: HooksFile | undefined,
): Pick<LayerContent, 'hooks' | 'defaults' | 'hooksEnabled'> {
  if (file === undefined) return { hooks: [], defaults: {} };
  const { document } = context;
  const hooks: HookEntry[] = [];
  const taken = new Map<string, Place>();
  const builtins = file.builtins ?? {};
  const processes = file.processes ?? {};
  for (const [name, entry] of Object.entries(builtins)) {
    const place = document.place(builtins, name, 'key');
    if (!claim(context, taken, name, place)) continue;
    const hook = readBuiltin(context, name, entry, place);
    if (hook !== undefined) hooks.push(hook);
  }
  for (const [name, entry] of Object.entries(processes)) {
    const place = document.place(processes, name, 'key');
    if (!claim(context, taken, name, place)) continue;
    const hook = readProcess(context, name, entry, place);
    if (hook !== undefined) hooks.push(hook);
  }
  const enabled: Placed<boolean> | undefined =
    file.enabled === undefined ? undefined : { value: file.enabled, place: document.place(file, 'enabled') };
  return { hooks, defaults: readDefaults(context, file), ...(enabled === undefined ? {} : { hooksEnabled: enabled }) };
}

/** Modules and processes share one namespace: of two hooks with one name, only one could be meant by it. */
function claim(context: ReadContext, taken: Map<string, Place>, name: string, place: Place): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names are printed on terminals
  if (name === '' || name.length > 128 || /[\u0000-\u001f\u007f]/.test(name)) {
    const expected = '1 to 128 characters without control characters';
    context.report.error('config.wrong-value', place, {
      what: `"${shown(name)}" cannot be the name of a hook`,
      expected,
    });
    return false;
  }
  const first = taken.get(name);
  if (first === undefined) {
    taken.set(name, place);
    return true;
  }
  context.report.error('config.duplicate-name', place, {
    what: `Two hooks are named "${shown(name)}"`,
    expected: `one hook of that name; the first is on line ${first.line}`,
  });
  return false;
}

function readBuiltin(context: ReadContext, name: string, file: BuiltinFile, place: Place): HookEntry | undefined {
  const common = readCommon(context, name, file, place);
  const module = file.module === undefined ? undefined : resolve(context.folder, file.module);
  if (module !== undefined) {
    const check = { kind: 'file', enabled: common.enabled, noun: `The module of the hook "${shown(name)}"` } as const;
    if (!checkPath(context, module, context.document.place(file, 'module'), check)) return undefined;
  }
  return {
    kind: 'builtin',
    ...common,
    ...(module === undefined ? {} : { module }),
    ...(file.worker === undefined ? {} : { worker: file.worker }),
    ...(file.config === undefined ? {} : { config: file.config }),
  };
}

function readProcess(context: ReadContext, name: string, file: ProcessFile, place: Place): HookEntry | undefined {
  const { document, report, cwd } = context;
  const common = readCommon(context, name, file, place);
  const say = common.enabled ? report.error : report.warning;
  const [program, ...rest] = file.command ?? [];
  if (common.enabled && (program === undefined || program === '') && !document.dropped(file, 'command'))
    report.error('config.missing-value', file.command === undefined ? place : document.place(file, 'command'), {
      what: `The hook "${shown(name)}" has no command`,
      expected: '"command": ["program", "argument"]',
    });
  if ((file.transport ?? '') !== '' && file.transport !== 'stdio')
    say('config.wrong-value', document.place(file, 'transport'), {
      what: '"transport" has a value that does not exist',
      expected: '"stdio"',
    });
  checkVariables(context, file.env, say);
  checkModes(context, name, file, common.enabled, place);
  const dir = file.dir === undefined || file.dir === '' ? cwd : resolve(cwd, file.dir);
  if (dir !== cwd) {
    const check = { kind: 'folder', enabled: common.enabled, noun: `The folder of the hook "${shown(name)}"` } as const;
    if (!checkPath(context, dir, document.place(file, 'dir'), check)) return undefined;
  }
  return {
    kind: 'process',
    ...common,
    transport: 'stdio',
    command: program === undefined ? [] : [absoluteProgram(program, cwd), ...rest],
    dir,
    env: { ...file.env },
    ...(file.env_allow === undefined ? {} : { envAllow: [...file.env_allow] }),
    observe: [...(file.observe ?? [])],
    intercept: (file.intercept ?? []).filter((point) => point !== ''),
    dialect: file.dialect ?? 'auto',
    restart: restartOf(file.restart),
  };
}

/** Reports names that no environment can hold. */
export function checkVariables(
  { document }: ReadContext,
  env: Readonly<Record<string, string>> | undefined,
  say: Reporter['error'],
): void {
  for (const variable of Object.keys(env ?? {}))
    if (variable === '' || variable.includes('=') || variable.includes('\0'))
      say('config.wrong-value', document.place(env ?? {}, variable, 'key'), {
        what: `"${shown(variable)}" cannot be the name of a variable`,
      });
}

/** A bare name is looked up in the PATH; anything with a separator is a path from where trotline was started. */
export const absoluteProgram = (program: string, cwd: string): string =>
  program.includes('/') || program.includes(sep) ? resolve(cwd, program) : program;

function restartOf(file: ProcessFile['restart']): ProcessHook['restart'] {
  const given: Exclude<ProcessFile['restart'], boolean | undefined> =
    typeof file === 'boolean' ? { enabled: file } : (file ?? {});
  return {
    enabled: given.enabled ?? true,
    max: given.max ?? 5,
    windowMs: positive(given.window_ms) ?? 60_000,
    backoffMs: positive(given.backoff_ms) ?? 250,
  };
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

function readCommon(context: ReadContext, name: string, file: CommonFile, place: Place) {
  const enabled = file.enabled ?? false;
  if (file.enabled === undefined)
    context.report.notice('config.not-enabled', place, {
      what: `The hook "${shown(name)}" is not enabled and does not run`,
    });
  const callMs = readTime(context, file, 'timeout_ms');
  const approvalMs = readTime(context, file, 'approval_timeout_ms');
  const own: OwnTimes = {
    ...(callMs === undefined ? {} : { callMs }),
    ...(approvalMs === undefined ? {} : { approvalMs }),
  };
  const { layer } = context;
  return { name, layer, place, enabled, priority: file.priority ?? 0, own, ...onErrorOf(file.on_error) };
}

const defaultKeys = {
  observer_timeout_ms: 'observerMs',
  interceptor_timeout_ms: 'interceptorMs',
  approval_timeout_ms: 'approvalMs',
  handshake_timeout_ms: 'handshakeMs',
} as const;

function readDefaults(context: ReadContext, file: HooksFile): Partial<HookTimeouts> {
  const defaults = file.defaults;
  if (defaults === undefined) return {};
  const keys = Object.keys(defaultKeys) as (keyof typeof defaultKeys)[];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = readTime(context, defaults, key);
      return value === undefined ? [] : [[defaultKeys[key], value]];
    }),
  );
}

/** A time in milliseconds. As in PicoClaw, one that is not positive leaves the default, but here it is said. */
export function readTime<K extends string>(
  context: ReadContext,
  holder: { readonly [key in K]?: number | undefined },
  key: K,
): number | undefined {
  const value = holder[key];
  if (value === undefined) return undefined;
  const place = context.document.place(holder, key);
  if (value <= 0) {
    context.report.warning('config.short-timeout', place, {
      what: `"${key}" is ${value}, which has no effect; the default stays`,
      expected: 'a positive number of milliseconds',
      remedy: 'Remove it, or write the time in milliseconds.',
    });
    return undefined;
  }
  if (value < SHORT_MS)
    context.report.warning('config.short-timeout', place, {
      what: `"${key}" is ${value} milliseconds`,
      remedy: `If ${value} seconds were meant, write ${value * 1000}.`,
    });
  return value;
}
