import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { onTestFinished } from 'vitest';

export interface Workspace {
  readonly dir: string;
  /** Writes a file and gives its absolute path. */
  file(name: string, text: string | Uint8Array): string;
}

/** A folder of its own for one test, removed afterwards. */
export function workspace(files: Readonly<Record<string, string>> = {}): Workspace {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-modules-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = (name: string, text: string | Uint8Array): string => {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const [name, text] of Object.entries(files)) file(name, text);
  return { dir, file };
}

/** The TrotlineError that a promise rejects with; anything else fails the test. */
export async function failure(work: Promise<unknown>): Promise<TrotlineError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TrotlineError) return error;
    throw error;
  }
  throw new Error('it was expected to fail');
}

type AnyFunction = (...args: unknown[]) => unknown;

/** An exported function, whatever its type. */
export function exported(module: { readonly exports: Readonly<Record<string, unknown>> }, name: string): AnyFunction {
  const value = module.exports[name];
  if (typeof value !== 'function') throw new Error(`${name} is not a function`);
  return value as AnyFunction;
}

/** Resolves in the next turn of the event loop, when every stretch has ended. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a function throws. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to throw');
}
