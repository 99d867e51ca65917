import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { type Column, cut, grid } from '../../../src/cli/terminal/grid.ts';
import { width } from '../../../src/cli/terminal/table.ts';

const plain = picocolors.createColors(false);
interface Row {
  readonly name: string;
  readonly lane: string;
  readonly place: string;
}
const columns: Column<Row>[] = [
  { head: 'name', cell: ({ name }) => name },
  { head: 'lane', drop: 1, cell: ({ lane }) => lane },
  { head: 'place', cut: 'start', cell: ({ place }) => place },
];
const rows: Row[] = [
  { name: 'a-guard-with-a-rather-long-name', lane: 'in-process', place: '/somewhere/deep/down/in/trotline.json:7:7' },
  { name: '守衛', lane: 'process', place: 'trotline.json:8:7' },
];

test('no line is wider than the room, at any width from 40 columns on', () => {
  for (let room = 40; room <= 160; room++) {
    const { text } = grid(columns, rows, room, plain, '  ');
    for (const line of text.split('\n')) expect(width(line)).toBeLessThanOrEqual(room);
  }
});

test('columns that may go do so before anything is cut, and are named', () => {
  expect(grid(columns, rows, 120, plain).dropped).toEqual([]);
  expect(grid(columns, rows, 120, plain).text).toContain('in-process');
  expect(grid(columns, rows, 50, plain).dropped).toEqual(['lane']);
  expect(grid(columns, rows, 50, plain).text).toContain('a-guard-with-a-rather-long-name');
});

test('where there is any room nothing is cut, and a column without text is not there', () => {
  const { text } = grid(
    columns,
    rows.map((row) => ({ ...row, lane: '' })),
    Number.POSITIVE_INFINITY,
    plain,
  );
  expect(text).toContain(rows[0]?.place);
  expect(text).not.toContain('lane');
});

test('of a path the end is kept, of a sentence the beginning', () => {
  expect(cut('/a/b/trotline.json', 8, 'start')).toBe('…ne.json');
  expect(cut('a sentence that goes on', 8, 'end')).toBe('a sente…');
});

test('what a cell says cannot break the table or steer the terminal', () => {
  const { text } = grid(columns, [{ name: 'a\nb\u001b[2J', lane: 'x', place: 'p' }], 80, plain);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).not.toContain('\u001b');
});
