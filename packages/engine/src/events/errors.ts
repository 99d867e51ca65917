import { codes } from './codes.ts';

/** Every code of the one table of errors and trace entries. */
export type Code = keyof typeof codes;

/** Where something went wrong, as far as it is known. Lines and columns count from 1. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A dotted path into a configuration, such as `hooks.builtins.audit.module`. */
  readonly key?: string;
}

export interface ErrorDetail extends Place {
  /** What happened, one sentence without a full stop. */
  readonly what: string;
  /** What would have been right. */
  readonly expected?: string;
  /** What to do next. Defaults to the remedy of the code table. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An error with a code from the one table. `message` is complete: what happened, where, what was expected, what to do. */
export class TrotlineError extends Error {
  readonly code: Code;
  readonly detail: ErrorDetail;

  constructor(code: Code, detail: ErrorDetail) {
    super(describe(code, detail), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'TrotlineError';
    this.code = code;
    this.detail = { remedy: codes[code].remedy, ...detail };
  }
}

/** `file:line:column`, as far as known. */
export function placeText(place: Place): string {
  if (place.file === undefined) return place.key ?? '';
  const line = place.line === undefined ? '' : `:${place.line}${place.column === undefined ? '' : `:${place.column}`}`;
  return `${place.file}${line}${place.key === undefined ? '' : ` (${place.key})`}`;
}

function describe(code: Code, detail: ErrorDetail): string {
  const place = placeText(detail);
  const parts = [`${place === '' ? '' : `${place}: `}${detail.what}.`];
  if (detail.expected !== undefined) parts.push(`Expected: ${detail.expected}.`);
  const remedy = detail.remedy ?? codes[code].remedy;
  if (remedy !== '') parts.push(remedy);
  return parts.join(' ');
}
