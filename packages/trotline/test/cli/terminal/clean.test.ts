import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clean, createCleaner, oneLine, visible } from '../../../src/cli/terminal/clean.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not get through
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('colours, window titles, clipboard writes and cursor movements are taken out whole', () => {
  expect(clean('\u001b[31mred\u001b[0m')).toBe('red');
  expect(clean('a\u001b]0;title\u0007b')).toBe('ab');
  expect(clean('a\u001b]52;c;ZXZpbA==\u001b\\b')).toBe('ab');
  expect(clean('a\u001b[2J\u001b[Hb')).toBe('ab');
  expect(clean('\u009b31mred')).toBe('red');
});

test('a carriage return cannot write over what stands on the line', () => {
  expect(clean('rm -rf /\rls')).toBe('rm -rf /ls');
  expect(clean('one\r\ntwo')).toBe('one\ntwo');
});

test('an unfinished string sequence does not swallow the text after it', () => {
  expect(clean(`a\u001b]0;${'x'.repeat(5000)}`)).toContain('x'.repeat(5000));
});

test('whatever comes, nothing is left that a terminal obeys, and cutting it anywhere changes nothing about that', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u001b', '\u001b[', '\u001b[31', 'm', '\u001b]0;', '\u0007', '\u001b\\', '\u009b', '\r', '\u202e'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(clean(pieces.join(''))).not.toMatch(obeyed);
      const cleaner = createCleaner();
      const shown = pieces.map((text) => cleaner.add(text)).join('') + cleaner.end();
      expect(shown).not.toMatch(obeyed);
    }),
  );
});

test('a sequence cut in two by the stream is still recognised', () => {
  const cleaner = createCleaner();
  expect(cleaner.add('a\u001b[3') + cleaner.add('1mb') + cleaner.end()).toBe('ab');
});

test('plain text comes through a stream unchanged and at once', () => {
  const cleaner = createCleaner();
  expect(cleaner.add('Grüße, 世界\n')).toBe('Grüße, 世界\n');
  expect(cleaner.end()).toBe('');
});

test('what a person decides about is shown with its control characters, not without them', () => {
  expect(visible('ls \u001b[8m; rm -rf ~\u001b[0m')).toBe('ls \\x1b[8m; rm -rf ~\\x1b[0m');
  expect(visible('a\u202eb\rc')).toBe('a\\u202eb\\rc');
});

test('one line is one line, and says that it was cut', () => {
  expect(oneLine('a\nb', 20)).toBe('a ⏎ b');
  expect(oneLine('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
});
