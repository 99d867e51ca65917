import { type Code, codes, type ErrorDetail, type Place, placeText, TrotlineError } from '@trotline/engine';
import type { LayerName, LoadedConfig, Problem } from './types.ts';

/** More than this from one file is one mistake seen many times, or an attack. */
const MAX_PER_FILE = 100;

/** What a reporter needs to know; the remedy defaults to that of the code table. */
export interface Finding {
  readonly what: string;
  readonly expected?: string;
  readonly remedy?: string;
}

/** Collects what is wrong with one file. */
export interface Reporter {
  error(code: Code, place: Place, finding: Finding): void;
  warning(code: Code, place: Place, finding: Finding): void;
  notice(code: Code, place: Place, finding: Finding): void;
}

/** A reporter that adds to `sink`, bounded, naming the layer. */
export function reporter(sink: Problem[], layer?: LayerName): Reporter {
  let count = 0;
  const add =
    (severity: Problem['severity']) =>
    (code: Code, place: Place, finding: Finding): void => {
      count += 1;
      if (count > MAX_PER_FILE + 1) return;
      const overflow: Finding = { what: `There are more than ${MAX_PER_FILE} problems in this file` };
      sink.push(
        count > MAX_PER_FILE
          ? toProblem('config.more-problems', 'error', fileOnly(place), overflow, layer)
          : toProblem(code, severity, place, finding, layer),
      );
    };
  return { error: add('error'), warning: add('warning'), notice: add('notice') };
}

function toProblem(
  code: Code,
  severity: Problem['severity'],
  place: Place,
  finding: Finding,
  layer?: LayerName,
): Problem {
  return {
    code,
    severity,
    ...place,
    ...(layer === undefined ? {} : { layer }),
    remedy: codes[code].remedy,
    ...finding,
  };
}

const fileOnly = (place: Place): Place => (place.file === undefined ? {} : { file: place.file });

/** One paragraph for a person: where, what, what was expected, what to do. */
export function problemText(problem: Problem): string {
  const place = placeText(problem);
  const expected = problem.expected === undefined ? '' : ` Expected: ${problem.expected}.`;
  const remedy = problem.remedy === '' ? '' : ` ${problem.remedy}`;
  return `${place === '' ? '' : `${place}: `}${problem.what}.${expected}${remedy}`;
}

/** The same problem as an error to throw, for callers that cannot go on. */
export function problemError(problem: Problem): TrotlineError {
  const { code, severity: _, layer: __, ...rest } = problem;
  const detail: ErrorDetail = rest;
  return new TrotlineError(code, detail);
}

/** Whether there is a problem with which nothing may start. */
export function hasErrors(loaded: Pick<LoadedConfig, 'problems'>): boolean {
  return loaded.problems.some((problem) => problem.severity === 'error');
}
