/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'error';
  readonly what: string;
  readonly remedy?: string;
}
