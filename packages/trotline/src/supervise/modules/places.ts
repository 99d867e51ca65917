import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundlePath } from './bundle.ts';
import type { ModuleInput } from './types.ts';

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const MAX_STACK = 20_000;

/**
 * Where in a module's own files an error arose. Reads the stack that Node has already mapped; where something else formats
 * stacks, the frames still speak of the bundle and are mapped here. Whatever was thrown, this does not throw.
 */
export function placeIn(entry: string, inputs: readonly ModuleInput[], error: unknown): SourcePlace | undefined {
  const files = new Set(inputs.map((input) => input.path));
  for (const line of stackOf(error).split('\n')) {
    const match = /^\s*at (?:.*? )?\(?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$/.exec(line);
    if (match === null) continue;
    const [, name = '', row, column] = match;
    const place = { file: plainPath(name), line: Number(row), column: Number(column) };
    if (files.has(place.file)) return place;
    if (place.file === bundlePath(entry)) {
      const mapped = unmapped(place);
      if (mapped !== undefined && files.has(mapped.file)) return mapped;
    }
  }
  return undefined;
}

function unmapped({ file, line, column }: SourcePlace): SourcePlace | undefined {
  const found = findSourceMap(file)?.findEntry(line - 1, column - 1);
  if (found === undefined || !('originalSource' in found)) return undefined;
  return { file: plainPath(found.originalSource), line: found.originalLine + 1, column: found.originalColumn + 1 };
}

/** The message of anything that can be thrown, short enough to be part of one. */
export function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : `the value ${String(error)}`;
    return text.length > 500 ? `${text.slice(0, 500)}…` : text;
  } catch {
    return 'a value that cannot be shown';
  }
}

function stackOf(error: unknown): string {
  try {
    const stack = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack.slice(0, MAX_STACK) : '';
  } catch {
    return '';
  }
}

function plainPath(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return name;
  }
}
