import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kernelCodes } from '../../src/events/codes/kernel.ts';

const folder = new URL('../../src/kernel/', import.meta.url);
const source = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

/** Codes by the ways the kernel writes them: an error's, a refused `next` call's, a trace entry's, a failure class's. */
const written = new Set([
  ...[...source.matchAll(/new KernelError\(\s*'([a-z-]+)'/g)].map((match) => `kernel.${match[1]}`),
  ...[...source.matchAll(/refuse\(\s*run,\s*'([a-z-]+)'/g)].map((match) => `kernel.${match[1]}`),
  ...[...source.matchAll(/'(kernel\.[a-z-]+)'/g)].map((match) => match[1] as string),
  ...['throw', 'shape', 'rewrite', 'budget', 'crash', 'start', 'garbage', 'late'].map((name) => `kernel.${name}`),
]);

test('every code the kernel writes is in the table', () => {
  expect([...written].filter((code) => !(code in kernelCodes))).toEqual([]);
});

test('every code in the table is one the kernel writes', () => {
  expect(Object.keys(kernelCodes).filter((code) => !written.has(code))).toEqual([]);
});
