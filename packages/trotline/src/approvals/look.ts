import { canonicalJson } from '../records/index.ts';
import { type PathReadings, readPath } from './paths.ts';
import { readShell, type ShellReading } from './shellRead.ts';
import { type ShellView, viewShell } from './shellView.ts';
import type { RuleCall } from './types.ts';

/** How a pattern over an argument is to be understood. */
export type ArgumentKind = 'shell' | 'path' | 'url' | 'text';

const mainArguments = new Map([
  ['Bash', 'command'],
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['LS', 'path'],
  ['Glob', 'pattern'],
  ['Grep', 'pattern'],
  ['WebFetch', 'url'],
  ['WebSearch', 'query'],
  ['Agent', 'prompt'],
]);

const kinds = new Map<string, ArgumentKind>([
  ...['command', 'cmd', 'script', 'shell_command'].map((name) => [name, 'shell'] as const),
  ...['file_path', 'notebook_path', 'path', 'dir', 'cwd'].map((name) => [name, 'path'] as const),
  ...['url', 'uri'].map((name) => [name, 'url'] as const),
]);

/** The argument a tool's `pattern` is about. Nothing: its whole input, as canonical JSON. */
export const mainArgument = (tool: string): string | undefined => mainArguments.get(tool);

/** What an argument of this name holds, whichever tool has it: an MCP server's `command` is a command line too. */
export const kindOf = (argument: string): ArgumentKind => kinds.get(argument) ?? 'text';

/** One call while rules judge it: what is costly to find out is found out once, and only if a rule asks. */
export interface Look {
  readonly call: RuleCall;
  /** An argument as text, or the whole input without a name. Nothing where it is absent; `unreadable` where it cannot be spelt. */
  text(name: string | undefined): string | undefined | typeof unreadable;
  path(text: string): PathReadings;
  view(command: string): ShellView;
  reading(command: string): ShellReading;
}

/** An argument that is there and has no spelling: a deny catches it, an allow does not. */
export const unreadable: unique symbol = Symbol('unreadable');

/** Looks at a call. Relative paths count from `cwd`. */
export function lookAt(call: RuleCall, cwd: string): Look {
  const paths = new Map<string, PathReadings>();
  const views = new Map<string, ShellView>();
  const readings = new Map<string, ShellReading>();
  return {
    call,
    text: (name) => {
      const value = name === undefined ? call.input : Object.hasOwn(call.input, name) ? call.input[name] : undefined;
      if (value === undefined || typeof value === 'string') return value;
      try {
        return canonicalJson(value);
      } catch {
        return unreadable;
      }
    },
    path: (text) => remembered(paths, text, (path) => readPath(path, cwd)),
    view: (command) => remembered(views, command, viewShell),
    reading: (command) => remembered(readings, command, readShell),
  };
}

function remembered<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  known.set(key, made);
  return made;
}
