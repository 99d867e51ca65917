import type { Command } from 'commander';
import type { Io } from './terminal/io.ts';

/** What a command is handed: the outside, and what holds for all commands. */
export interface Context {
  readonly io: Io;
  /** Machine-readable output. */
  readonly json: boolean;
  readonly version: string;
  /** Aborts when nobody reads stdout any more. */
  readonly stdoutGone: AbortSignal;
  /** The tree of all commands, and how each was declared. */
  readonly program: Command;
  readonly specs: readonly CommandSpec[];
}

/** A command: does its work and answers the exit status. Throws TrotlineErrors. */
type Run<Options> = (context: Context, args: readonly string[], options: Options) => Promise<number>;

/** What a shell completes with: lists that the program holds, and those that it has to look up (`hooks`, `sessions`). */
export type Values = 'events' | 'events and tools' | 'hooks' | 'sessions' | 'shells' | 'tools';

/** An option as it is declared: flags in commander's syntax and what it does. */
export interface OptionSpec {
  readonly flags: string;
  readonly doc: string;
  /** May be given several times; the values make a list. */
  readonly many?: true;
  readonly choices?: readonly string[];
  readonly values?: Values;
}

/** A command as it is declared. Its code loads when it runs. */
export interface CommandSpec {
  readonly name: string;
  /** Arguments in commander's syntax: `<task>`, `[path]`, `[pairs...]`. */
  readonly args?: readonly (readonly [syntax: string, doc: string, values?: Values])[];
  readonly doc: string;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly (readonly [command: string, does: string])[];
  readonly load: () => Promise<Run<never>>;
}
