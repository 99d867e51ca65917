import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Infer, t } from '../../src/events/shape.ts';

const outcome = t.either(
  t.object({ deny: t.string }),
  t.object({ result: t.json, context: t.optional(t.list(t.string)) }),
);

describe('a misfit says where and what', () => {
  test.each([
    [t.string, 7, 'it is a number, not a string'],
    [t.object({ cwd: t.string }), {}, 'no { cwd }'],
    [t.object({ a: t.object({ b: t.string }) }), { a: {} }, 'a has no { b }'],
    [
      t.object({ a: t.list(t.object({ b: t.number })) }),
      { a: [{ b: 1 }, { b: 'x' }] },
      'a[1].b is a string, not a number',
    ],
    [t.oneOf('allow', 'deny'), 'maybe', 'it is none of allow, deny'],
    [t.nullable(t.string), 7, 'it is a number, not a string'],
    [t.record(t.string), { a: 1 }, 'a is a number, not a string'],
    [t.some, undefined, 'it is nothing'],
    [t.data, [], 'it is a list, not an object'],
    [outcome, {}, 'neither { deny } nor { result }'],
    [outcome, undefined, 'it is nothing: neither { deny } nor { result }'],
    [outcome, { deny: 'x', result: 1 }, 'both { deny } and { result }'],
    [outcome, { result: 1, context: 'x' }, 'context is a string, not a list'],
    [outcome, { deny: 7 }, 'deny is a number, not a string'],
  ])('%#', (shape, value, expected) => {
    expect(shape.misfit(value, '')).toBe(expected);
  });

  test('and never the value itself, which may be a secret', () => {
    expect(t.number.misfit('sk-secret', 'key')).not.toContain('secret');
  });
});

test.each([
  [outcome, { deny: '' }],
  [outcome, { result: undefined }],
  [outcome, { result: null, context: [], more: 'kept' }],
  [t.either(t.object({ value: t.nothing }), t.object({ deny: t.string })), { value: undefined }],
  [t.object({ a: t.optional(t.string) }), { a: undefined, b: 1 }],
  [t.union(t.string, t.number), 7],
])('%# fits', (shape, value) => {
  expect(shape.misfit(value, '')).toBeUndefined();
});

test('types and JSON Schemas derive from it', () => {
  const shape = t.object({ a: t.string, b: t.optional(t.oneOf(1, 'x', null)), c: t.list(t.data) });
  expectTypeOf<Infer<typeof shape>>().branded.toEqualTypeOf<{
    readonly a: string;
    readonly b?: 1 | 'x' | null | undefined;
    readonly c: readonly Readonly<Record<string, unknown>>[];
  }>();
  expect(shape.schema()).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { enum: [1, 'x', null] }, c: { type: 'array', items: { type: 'object' } } },
    required: ['a', 'c'],
  });
  expect(shape.text()).toBe(
    "{ readonly a: string; readonly b?: 1 | 'x' | null | undefined; readonly c: readonly (Readonly<Record<string, unknown>>)[] }",
  );
});
