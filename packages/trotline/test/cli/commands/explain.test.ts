import { expect, test } from 'vitest';
import { readFields } from '../../../src/cli/commands/explain.ts';

test('pairs are text unless they are JSON', () => {
  expect(readFields(['command=rm -rf build', 'timeout=5', 'flag=true', 'list=[1]', 'broken={a'], undefined)).toEqual({
    command: 'rm -rf build',
    timeout: 5,
    flag: true,
    list: [1],
    broken: '{a',
  });
  expect(readFields(['command=a=b'], undefined)).toEqual({ command: 'a=b' });
});

test('pairs come on top of --input', () => {
  expect(readFields(['b=2'], '{"a":1,"b":1}')).toEqual({ a: 1, b: 2 });
});

test('an input that is no object is told, with what would have been right', () => {
  expect(() => readFields([], '[1]')).toThrow('an object of fields');
  expect(() => readFields([], '{')).toThrow('--input is not JSON');
  expect(() => readFields(['novalue'], undefined)).toThrow('no name=value');
});

test('__proto__ is a field like any other and changes no prototype', () => {
  const fields = readFields(['__proto__=1'], '{"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  expect(Object.keys(fields)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
