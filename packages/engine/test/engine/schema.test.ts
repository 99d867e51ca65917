import { expect, test } from 'vitest';
import { schemaMisfit } from '../../src/engine/tool/schema.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    count: { type: 'integer' },
    mode: { enum: ['a', 'b', null] },
    tags: { type: 'array', items: { type: 'string' } },
    either: { type: ['string', 'null'] },
    never: false,
    nested: {
      type: 'object',
      properties: { deep: { type: 'boolean' } },
      required: ['deep'],
      additionalProperties: { type: 'number' },
    },
  },
  required: ['path'],
  additionalProperties: false,
};

test.each([
  [{}, 'input has no path'],
  [[], 'input is array, not object'],
  [{ path: 1 }, 'input.path is integer, not string'],
  [{ path: 'x', count: 1.5 }, 'input.count is number, not integer'],
  [{ path: 'x', mode: 'c' }, 'input.mode is none of "a", "b", null'],
  [{ path: 'x', tags: ['a', 2] }, 'input.tags[1] is integer, not string'],
  [{ path: 'x', either: 7 }, 'input.either is integer, not string or null'],
  [{ path: 'x', never: 1 }, 'input.never is not allowed'],
  [{ path: 'x', nested: {} }, 'input.nested has no deep'],
  [{ path: 'x', nested: { deep: true, more: 'x' } }, 'input.nested.more is string, not number'],
  [{ path: 'x', other: 1 }, 'input has an unknown other'],
  [JSON.parse('{"path":"x","__proto__":{"a":1}}'), 'input has an unknown __proto__'],
])('%j does not fit: %s', (value, expected) => {
  expect(schemaMisfit(schema, value)).toBe(expected);
});

test.each([
  { path: 'x' },
  { path: 'x', count: 2, mode: null, tags: [], either: null, nested: { deep: false, n: 1 } },
  { path: 'x', count: undefined },
])('%j fits', (value) => {
  expect(schemaMisfit(schema, value)).toBeUndefined();
});

test('a number takes whole numbers, const is compared by value, unknown keywords say nothing', () => {
  expect(schemaMisfit({ type: 'number' }, 1)).toBeUndefined();
  expect(schemaMisfit({ const: { a: 1 } }, { a: 1 })).toBeUndefined();
  expect(schemaMisfit({ const: 1 }, 2)).toBe('input is not 1');
  expect(schemaMisfit({ pattern: '^a' }, 'b')).toBeUndefined();
});
