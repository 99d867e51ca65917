import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, digestCall } from '../../src/records/index.ts';

const key = new Uint8Array(32).fill(7);
const shuffle = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffle);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffle(member)]),
  );
};

describe('the canonical spelling', () => {
  test('does not depend on the order of keys, and parses back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffle(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.stringify(shuffle(JSON.parse(text)))).toHaveLength(JSON.stringify(value).length);
      }),
    );
  });
  test('is one for one value and another for another', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(shuffle(shuffle(sorted(a)))) === JSON.stringify(shuffle(shuffle(sorted(b))));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });
  test('is the one everybody knows', () => {
    expect(canonicalJson({ b: [1, 1e21, -0, 'é\n\u2028'], a: undefined, B: { 10: 1, 9: 2 }, '': null })).toBe(
      '{"":null,"B":{"10":1,"9":2},"b":[1,1e+21,0,"é\\n\u2028"]}',
    );
    expect(canonicalJson([undefined, '\ud800'])).toBe('[null,"\\ud800"]');
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });
  test.each([
    ['a date', new Date()],
    ['a map', new Map()],
    ['an instance', new (class A {})()],
    ['a function', { f: () => 1 }],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['no number', [Number.NaN]],
    ['an endless number', Number.POSITIVE_INFINITY],
    ['nothing', undefined],
  ])('is refused to what it would lose: %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'records.not-json' }));
  });
  test('is refused to what never ends, and says where', () => {
    const circle: Record<string, unknown> = {};
    circle['again'] = circle;
    expect(() => canonicalJson({ a: [circle] })).toThrow(/\.a\[0\]\.again/);
  });
});

describe('the digest of a call', () => {
  test('is HMAC-SHA256 under the key', () => {
    const digest = digestCall(key, { tool: 'Bash', input: { command: 'ls' } });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digestCall(key, { tool: 'Bash', input: { command: 'ls' } })).toBe(digest);
    expect(digestCall(new Uint8Array(32), { tool: 'Bash', input: { command: 'ls' } })).not.toBe(digest);
  });
  test('tells any two calls apart', () => {
    const digests = [
      { tool: 'Bash', input: {} },
      { tool: 'Bash', input: { a: null } },
      { tool: 'Bash', input: { a: 'null' } },
      { tool: 'Bash', input: { a: '' } },
      { tool: 'Bash', input: { 'a":"b': '' } },
      { tool: 'Bash","input":{}', input: {} },
      { tool: 'Read', input: {} },
    ].map((call) => digestCall(key, call));
    expect(new Set(digests).size).toBe(digests.length);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}
