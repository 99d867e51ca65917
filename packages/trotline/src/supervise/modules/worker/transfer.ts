import { AbortTurn, type Code, codes, type FailureClass, HardAbort, TrotlineError } from '@trotline/engine';
import { messageOf } from '../places.ts';
import type { LoadedModule } from '../types.ts';
import type { Failure } from './protocol.ts';

const CONTROLS = { AbortTurn, HardAbort };

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 1_000) : undefined);

const isCode = (value: unknown): value is Code => typeof value === 'string' && Object.hasOwn(codes, value);

/** What can be told of an error in the other thread. Whatever was thrown, this does not throw. */
export function failureOf(error: unknown, module?: LoadedModule): Failure {
  const message = messageOf(error);
  try {
    if (!(error instanceof Error)) return { name: 'Error', message };
    const { hook, reason, detail, code, failureClass } = error as unknown as Record<string, unknown>;
    const control =
      error.name in CONTROLS ? { name: error.name, hook: text(hook) ?? '', reason: text(reason) ?? '' } : undefined;
    const found = module?.placeOf(error) ?? (detail as { file?: string } | undefined);
    const { file, line, column } = (found ?? {}) as { file?: string; line?: number; column?: number };
    const place = {
      ...(text(file) === undefined ? {} : { file: String(file) }),
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof column === 'number' ? { column } : {}),
    };
    const what = (detail as { what?: unknown } | undefined)?.what;
    return {
      name: text(error.name) ?? 'Error',
      message: isCode(code) ? (text(what) ?? text(error.message) ?? message) : message,
      place,
      ...(isCode(code) ? { code } : {}),
      ...(typeof failureClass === 'string' ? { failureClass: failureClass as FailureClass } : {}),
      ...(control === undefined ? {} : { control }),
    };
  } catch {
    return { name: 'Error', message };
  }
}

/** An error of ours that the chain files under a class. */
export const failed = (
  failureClass: FailureClass,
  code: Code,
  detail: ConstructorParameters<typeof TrotlineError>[1],
): TrotlineError => Object.assign(new TrotlineError(code, detail), { failureClass });

/** A failure of the worker as an error in the host: control as control, the rest with code (its own or else `otherwise`), place and class. */
export function errorOf(failure: Failure, file: string, otherwise: Code = 'modules.hook-threw'): Error {
  const { control, code, message, place, failureClass } = failure;
  if (control !== undefined) {
    const Kind = CONTROLS[control.name as keyof typeof CONTROLS] ?? AbortTurn;
    return new Kind(control.hook, control.reason);
  }
  const at = { file, ...place };
  if (code !== undefined) return failed(failureClass ?? 'throw', code, { ...at, what: message });
  return failed(failureClass ?? 'throw', otherwise, { ...at, what: `It threw ${message}` });
}
