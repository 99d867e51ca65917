/** One line of the code table. */
export interface CodeEntry {
  /** `error`: thrown. `trace`: an entry of a trace, nothing thrown. */
  readonly kind: 'error' | 'trace';
  /** One sentence for the reference. */
  readonly doc: string;
  /** What to do about it. Empty where nothing can be done. */
  readonly remedy: string;
}

/** Types a part of the table while keeping its keys literal. */
export const defineCodes = <const T extends Record<string, CodeEntry>>(table: T): T => table;
