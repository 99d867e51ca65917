import { type Code, type ErrorDetail, type FailureClass, TrotlineError } from '@trotline/engine';

/** A failure of a supervised process, with its class, so that a dialect can tell a crash from a refusal without reading text. */
export class PeerError extends TrotlineError {
  readonly failureClass: FailureClass;

  constructor(failureClass: FailureClass, code: Code, detail: ErrorDetail) {
    super(code, detail);
    this.name = 'PeerError';
    this.failureClass = failureClass;
  }
}

/** How a process ended, in the words of Go's os/exec, which hook authors know from PicoClaw. */
export function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `ended by ${signal}`;
  return code === 0 ? 'exited (status 0)' : `exited with status ${code}`;
}
