import { dirname, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import type { BuildFailure, Message } from 'esbuild';
import { type Detail, packageName } from './resolve.ts';

const MAX_LINE = 120;

/** Whether an error is what `esbuild.build` rejects with. */
export const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);

const isDetail = (detail: unknown): detail is Detail =>
  typeof detail === 'object' && detail !== null && typeof (detail as Partial<Detail>).specifier === 'string';

/** The first of the bundler's messages as one of our errors, with file, line, column and the line itself. */
export function buildError(entry: string, messages: readonly Message[]): TrotlineError {
  const message = messages[0];
  if (message === undefined)
    return new TrotlineError('modules.does-not-compile', { file: entry, what: 'It does not compile' });
  const { location } = message;
  const place = {
    file: entry,
    ...(location === null
      ? {}
      : {
          file: resolve(dirname(entry), location.file),
          line: location.line,
          column: columnOf(location.lineText, location.column),
        }),
  };
  const others = messages.length > 1 ? ` (and ${messages.length - 1} more)` : '';
  if (isDetail(message.detail)) {
    const { code, specifier } = message.detail;
    if (code === 'modules.missing-package') return missingPackage(specifier, place);
    return new TrotlineError(code, { ...place, what: `The imported file "${specifier}" does not exist` });
  }
  const line = location === null ? '' : `: ${excerpt(location.lineText)}`;
  return new TrotlineError('modules.does-not-compile', { ...place, what: `${message.text}${others}${line}` });
}

export function missingPackage(
  specifier: string,
  place: { readonly file: string; readonly line?: number; readonly column?: number },
): TrotlineError {
  const name = packageName(specifier);
  const via = name === specifier ? '' : ` (for "${specifier}")`;
  return new TrotlineError('modules.missing-package', {
    ...place,
    what: `The package "${name}"${via} is not installed`,
    remedy: `Run \`npm install ${name}\` in the project of that file, or remove the import.`,
  });
}

/** A source line, short enough for a terminal. */
export const excerpt = (line: string): string => {
  const text = line.trim();
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
};

/** esbuild counts columns in UTF-8 bytes from 0, people and editors in characters from 1. */
const columnOf = (line: string, bytes: number): number => Buffer.from(line).subarray(0, bytes).toString().length + 1;
