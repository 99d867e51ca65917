import type { BuiltinHook } from '../config/index.ts';
import type { ModuleInput } from '../supervise/modules/index.ts';
import type { Register } from './stage.ts';

/** What loading a builtin needs of the line. */
export interface ModuleContext {
  readonly cacheDir: string;
  /** Builtins that a program registered under a name, for entries without `module`. */
  readonly factories: Readonly<Record<string, Register>>;
  /** Told all files of a module before any of its code runs; throwing refuses it. */
  readonly beforeRun: (hook: BuiltinHook, inputs: readonly ModuleInput[]) => void | Promise<void>;
  /** What a module prints, and what is to be said of it. */
  readonly print: (name: string, text: string) => void;
}
