import { z } from 'zod';
import type { Step } from './document.ts';

/** The keys a schema allows at a path; where a value may have several shapes, those of all objects among them. */
export function knownKeys(schema: z.ZodType, path: readonly Step[]): string[] {
  return schemasAt(schema, path).flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

/** Whether a number at this path must be whole; zod says so only to those who wrote a number. */
export function isWhole(schema: z.ZodType, path: readonly Step[]): boolean {
  return schemasAt(schema, path).some((one) => one instanceof z.ZodNumber && one.isInt);
}

function schemasAt(schema: z.ZodType, path: readonly Step[]): z.core.$ZodType[] {
  let here: z.core.$ZodType[] = [schema];
  for (const step of path) here = here.flatMap(unwrap).flatMap((one) => descend(one, step));
  return here.flatMap(unwrap);
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap);
  return [schema];
}

function descend(schema: z.core.$ZodType, step: Step): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) {
    const next: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, step)
      ? schema.shape[String(step)]
      : undefined;
    return next === undefined ? [] : [next];
  }
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodArray) return [schema.element];
  return [];
}
