import { clip, KernelError } from './failure.ts';
import { freezeCopy, same } from './freeze.ts';
import type { Run } from './run.ts';

/**
 * What a hook passed to `next`, as what lies beneath gets it: copied, frozen, with the pinned fields it left out put back.
 * Throws a `KernelError` for a pinned field that it changed or added, and for an argument that does not fit the event.
 */
export function rewrite(run: Run, given: unknown): unknown {
  const { d, event } = run;
  const { rules } = d;
  let e: Record<string, unknown>;
  try {
    e = freezeCopy(given as Record<string, unknown>, false, d);
  } catch (error) {
    throw new KernelError(
      'not-plain',
      `next() at ${event} passed a value that cannot travel: ${clip(String((error as Error).message))}`,
    );
  }
  if (e === null || typeof e !== 'object' || Array.isArray(e)) {
    throw new KernelError('misfit', `next() at ${event} needs the event, an object`);
  }
  const received = run.e as Record<string, unknown>;
  const left: string[] = [];
  for (const field of Object.keys(received)) {
    if (received[field] === undefined || !rules.pinned(field)) continue;
    if (e[field] === undefined) left.push(field);
    else if (!same(e[field], received[field])) {
      throw new KernelError('pinned', `next() at ${event} changed ${field}, which a hook may not change`);
    }
  }
  for (const field of Object.keys(e)) {
    if (
      e[field] !== undefined &&
      !(Object.hasOwn(received, field) && received[field] !== undefined) &&
      rules.pinned(field)
    ) {
      throw new KernelError('pinned', `next() at ${event} added ${field}, which a hook may not add`);
    }
  }
  if (left.length > 0) {
    run.note('kernel.restored', left.join(', '));
    const whole: Record<string, unknown> = { ...e };
    for (const field of left) whole[field] = received[field];
    e = freezeCopy(whole, true);
  }
  const misfit = rules.eventMisfit(e);
  if (misfit === undefined) return e;
  throw new KernelError(
    'misfit',
    `next() passed an argument ${misfit.startsWith('no ') ? 'with' : 'that does not fit:'} ${misfit}`,
  );
}
