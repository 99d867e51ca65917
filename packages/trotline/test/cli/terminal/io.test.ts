import { expect, test } from 'vitest';
import { colored } from '../../../src/cli/terminal/io.ts';
import { table, width } from '../../../src/cli/terminal/table.ts';

test('colour is for terminals, unless NO_COLOR or FORCE_COLOR say otherwise', () => {
  expect(colored({ isTTY: true }, {})).toBe(true);
  expect(colored({}, {})).toBe(false);
  expect(colored({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(colored({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
  expect(colored({}, { FORCE_COLOR: '1' })).toBe(true);
  expect(colored({ isTTY: true }, { FORCE_COLOR: '0' })).toBe(false);
  expect(colored({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
});

test('columns line up by what is seen, not by what is stored', () => {
  expect(width('\u001b[31mred\u001b[0m')).toBe(3);
  expect(width('世界')).toBe(4);
  expect(width('e\u0301')).toBe(1);
  expect(
    table([
      ['世界', 'b'],
      ['abc', 'd'],
    ]),
  ).toBe('世界  b\nabc   d\n');
});
