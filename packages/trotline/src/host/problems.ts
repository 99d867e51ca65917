import { type Code, codes, type Place, placeText, TrotlineError } from '@trotline/engine';
import type { Problem } from '../config/index.ts';
import type { LineProblem } from './types.ts';

/** A configuration problem as a line reports it. */
export function fromConfig(problem: Problem): LineProblem {
  const { severity, code, what, expected, remedy, layer: _, ...place } = problem;
  return { severity, code, message: sentence(what, expected, place), remedy, ...place };
}

/** An error as a problem of the line. `severity` says whether the line may open with it. */
export function fromError(error: unknown, severity: LineProblem['severity'], place: Place = {}): LineProblem {
  if (error instanceof TrotlineError) {
    const { what, expected, remedy, cause: _, ...own } = error.detail;
    const at = { ...place, ...own };
    return {
      severity,
      code: error.code,
      message: sentence(what, expected, at),
      ...(remedy === undefined ? {} : { remedy }),
      ...at,
    };
  }
  const what = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' && Object.hasOwn(codes, code) ? (code as Code) : 'modules.threw';
  return { severity, code: known, message: sentence(what, undefined, place), remedy: codes[known].remedy, ...place };
}

function sentence(what: string, expected: string | undefined, place: Place): string {
  const at = placeText(place);
  return `${at === '' ? '' : `${at}: `}${what}.${expected === undefined ? '' : ` Expected: ${expected}.`}`;
}

/** The error that keeps a line from opening, with every problem in its text. */
export function cannotOpen(
  code: 'host.configuration' | 'host.closed-hook-down',
  problems: readonly LineProblem[],
): TrotlineError {
  const errors = problems.filter((p) => p.severity === 'error');
  const [first] = errors;
  const error = new TrotlineError(code, {
    what: errors
      .map((p) => `${p.message} [${p.code}]${p.remedy ? ` ${p.remedy}` : ''}`)
      .join('\n')
      .replace(/\.$/, ''),
    ...(first?.file === undefined ? {} : { cause: first }),
  });
  return Object.assign(error, { problems });
}
