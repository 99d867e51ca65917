import { codes, placeText, TrotlineError } from '@trotline/engine';
import type { LineProblem } from '../host/index.ts';
import { problemText } from './render/problems.ts';
import { clean } from './terminal/clean.ts';
import type { Io } from './terminal/io.ts';

/** An error as `--json` shows it. */
export interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly what: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
  readonly expected?: string;
  readonly remedy?: string;
  /** All that keeps a line from opening, where that is what happened. */
  readonly problems?: readonly LineProblem[];
}

/** Whatever was thrown, as an error with a code. */
function asTrotlineError(error: unknown): TrotlineError {
  if (error instanceof TrotlineError) return error;
  const what = error instanceof Error ? error.message : String(error);
  return new TrotlineError('cli.internal', { what: what.replace(/\.$/, ''), cause: error });
}

export function errorJson(error: TrotlineError): ErrorJson {
  const { cause: _, ...detail } = error.detail;
  const problems = problemsOf(error);
  return { code: error.code, message: error.message, ...detail, ...(problems.length > 0 && { problems }) };
}

/** The problems that a line which could not open hands over with its error. */
const problemsOf = (error: TrotlineError): readonly LineProblem[] =>
  (error as TrotlineError & { readonly problems?: readonly LineProblem[] }).problems ?? [];

/** Says on stderr what went wrong: message, place, expectation, remedy and code; one JSON object under `--json`. */
export function printError(io: Io, thrown: unknown, json: boolean): void {
  const error = asTrotlineError(thrown);
  if (json) {
    io.err(`${JSON.stringify({ error: errorJson(error) })}\n`);
  } else {
    io.err(errorText(error, io.errColors));
  }
  if (io.env['TROTLINE_DEBUG'] === '1') io.err(`${(error.cause as Error | undefined)?.stack ?? error.stack}\n`);
}

function errorText(error: TrotlineError, colors: Io['errColors']): string {
  const { what, expected } = error.detail;
  const problems = problemsOf(error);
  if (problems.length > 0) {
    const text = problems.map((problem) => problemText(problem, colors)).join('');
    return `${text}${colors.red('error')} it cannot start like this ${colors.dim(`[${error.code}]`)}\n  ${clean(codes[error.code].remedy)}\n`;
  }
  const remedy = error.detail.remedy ?? codes[error.code].remedy;
  const place = placeText(error.detail);
  const lines = [`${colors.red('error')} ${clean(what)} ${colors.dim(`[${error.code}]`)}`];
  if (place !== '') lines.push(`  at ${clean(place)}`);
  if (expected !== undefined) lines.push(`  expected: ${clean(expected)}`);
  if (remedy !== '') lines.push(`  ${clean(remedy)}`);
  return lines.map((line) => `${line}\n`).join('');
}
