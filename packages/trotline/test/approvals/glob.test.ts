import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, matchName } from '../../src/approvals/glob.ts';

// The obvious meaning, too slow for use: a star tries every rest.
function oracle(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] !== '*') return text[0] === pattern[0] && text !== '' && oracle(pattern.slice(1), text.slice(1));
  for (let at = 0; at <= text.length; at++) if (oracle(pattern.slice(1), text.slice(at))) return true;
  return false;
}

describe('a pattern', () => {
  test.each([
    ['git status', 'git status', true],
    ['git status', 'git status ', false],
    ['git status*', 'git status -s\nrm', true],
    ['*', '', true],
    ['**', 'a\nb', true],
    ['*a*', 'bab', true],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'a c b', false],
    ['[ab]?', '[ab]?', true],
    ['[ab]?', 'a!', false],
    ['a.c', 'abc', false],
  ])('%j over %j is %s', (pattern, text, expected) => {
    expect(compileGlob(pattern).test(text)).toBe(expected);
  });

  test('means what trying every possibility means', () => {
    const letters = (max: number) => fc.string({ unit: fc.constantFrom('a', 'b', '*', ' ', '\n'), maxLength: max });
    fc.assert(
      fc.property(letters(8), letters(10), (pattern, text) => {
        expect(compileGlob(pattern).test(text)).toBe(oracle(pattern, text));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['stars between one letter', '*a'.repeat(1000), 'a'.repeat(100_000)],
    ['almost the whole text', `*${'a'.repeat(1000)}b*`, 'a'.repeat(100_000)],
    ['a piece that begins again and again', `*${'ab'.repeat(500)}c*`, 'ab'.repeat(50_000)],
    ['many pieces and a late failure', `${'*ab'.repeat(600)}*c*`, 'ab'.repeat(50_000)],
    ['the classic of regular expressions', `${'a*'.repeat(200)}b`, 'a'.repeat(50_000)],
  ])('looks at no character more often than a small number of times: %s', (_name, pattern, text) => {
    const work = { steps: 0 };
    compileGlob(pattern).test(text, work);
    expect(work.steps).toBeLessThanOrEqual(3 * (pattern.length + text.length));
  });
});

describe('a name of a tool', () => {
  test.each([
    ['*', 'Bash', true],
    ['Bash', 'bash', false],
    ['Bash', 'BashOutput', false],
    ['mcp__*', 'mcp__files__read', true],
    ['mcp__*__read', 'mcp__files__write', false],
    ['mcp__?__x', 'mcp__a__x', true],
    ['mcp__?__x', 'mcp__ab__x', false],
    ['*Edit', 'NotebookEdit', true],
    ['Bash?', 'Bash', false],
  ])('%j over %j is %s', (pattern, name, expected) => {
    expect(matchName(pattern, name)).toBe(expected);
  });
});
