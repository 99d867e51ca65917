import type { FailureClass } from './types.ts';

/** What the kernel refuses, with a code of the one table. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly code: string;
  /** Set where the refusal, if a hook lets it through, is that hook's failure. */
  readonly failureClass: FailureClass | undefined;

  constructor(code: string, message: string, failureClass?: FailureClass) {
    super(message);
    this.code = `kernel.${code}`;
    this.failureClass = failureClass;
  }
}

/** Thrown by a link to name the class of its failure: a dialect's, when its process died or answered garbage. */
export class HookFailure extends Error {
  override readonly name = 'HookFailure';
  readonly failureClass: FailureClass;

  /** `message`: one sentence without a full stop, such as `process exited with code 1`. */
  constructor(failureClass: FailureClass, message: string, options?: { readonly cause?: unknown }) {
    super(message, options as undefined);
    this.failureClass = failureClass;
  }
}

/** A failure before it is known how far the hook had come. */
export interface Fault {
  readonly class: FailureClass;
  readonly message: string;
  readonly error?: unknown;
}

/** Carries a fault that the kernel found itself through a generator. */
export class Faulty extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const classes: readonly unknown[] = ['throw', 'shape', 'rewrite', 'budget', 'crash', 'start', 'garbage', 'late'];

/** What a hook threw, told in one bounded sentence. The thrown value is hostile: reading it may throw again. */
export function faultOf(error: unknown): Fault {
  let named: unknown;
  let text = 'something that cannot be read';
  try {
    if (error instanceof Faulty) return error.fault;
    if (error instanceof Error) {
      named = (error as Partial<HookFailure>).failureClass;
      text = `${error.name}: ${error.message}`;
      if (classes.includes(named)) return { class: named as FailureClass, message: clip(error.message), error };
    } else text = String(error);
  } catch {
    // What it is called is not known, and that it failed is.
  }
  return { class: 'throw', message: clip(`threw ${text}`), error };
}

/** No message of a hook grows a record or a refusal without bound. */
export const clip = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : String(text));
