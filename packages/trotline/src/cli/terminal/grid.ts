import { oneLine } from './clean.ts';
import type { Colors } from './io.ts';
import { table, width } from './table.ts';

/** A column of a table that fits its screen. */
export interface Column<T> {
  readonly head: string;
  /** Plain text; control characters and newlines are taken out. */
  readonly cell: (row: T) => string;
  readonly paint?: (text: string, row: T) => string;
  /** Columns with a number give way where there is no room, the smallest first. */
  readonly drop?: number;
  /** Which end goes when a cell is too long: of a path the end is what tells. Default: `end`. */
  readonly cut?: 'start' | 'end';
}

export interface Grid {
  readonly text: string;
  /** Heads of the columns that had no room. */
  readonly dropped: readonly string[];
}

/** No cell is longer, however wide the screen. */
const maxCell = 500;
/** The last column is worth showing from here on. */
const minLast = 16;
/** What a cell of any other column may keep when even dropping does not help. */
const minCell = 12;

/**
 * A table with a head that is never wider than `room` columns: columns that may go do, then the last column is cut, then the
 * longest of the others. Columns without any text are left out.
 */
export function grid<T>(columns: readonly Column<T>[], rows: readonly T[], room: number, c: Colors, indent = ''): Grid {
  let shown = columns
    .map((column) => ({ column, cells: rows.map((row) => oneLine(column.cell(row), maxCell)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const wide = ({ column, cells }: (typeof shown)[number]): number =>
    Math.max(width(column.head), ...cells.map((cell) => width(cell)));
  const before = (): number => indent.length + shown.slice(0, -1).reduce((sum, column) => sum + wide(column) + 2, 0);
  const lastNeeds = (): number => Math.min(shown.at(-1) === undefined ? 0 : wide(shown.at(-1) as never), minLast);
  const dropped: string[] = [];
  while (before() + lastNeeds() > room) {
    const droppable = shown.slice(0, -1).filter(({ column }) => column.drop !== undefined);
    const [first] = droppable.sort((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0));
    if (first === undefined) break;
    dropped.push(first.column.head);
    shown = shown.filter((one) => one !== first);
  }
  while (before() + lastNeeds() > room) {
    const longest = shown
      .slice(0, -1)
      .reduce((a, b) => (wide(b) > wide(a) ? b : a), shown[0] as (typeof shown)[number]);
    if (longest === undefined || wide(longest) <= minCell) break;
    const limit = Math.max(minCell, wide(longest) - (before() + lastNeeds() - room));
    cutCells(longest, limit);
  }
  const last = shown.at(-1);
  if (last !== undefined) cutCells(last, Math.max(room - before(), 4));
  const body = rows.map((row, at) =>
    shown.map(({ column, cells }) => (column.paint ?? ((text: string) => text))(cells[at] ?? '', row)),
  );
  return { text: table([shown.map(({ column }) => c.dim(column.head)), ...body], indent), dropped };
}

function cutCells<T>({ column, cells }: { column: Column<T>; cells: string[] }, limit: number): void {
  cells.forEach((cell, at) => {
    cells[at] = cut(cell, limit, column.cut ?? 'end');
  });
}

/** At most `limit` columns of a text, with a sign where some are missing. */
export function cut(text: string, limit: number, end: 'start' | 'end'): string {
  if (width(text) <= limit) return text;
  const characters = [...text];
  while (characters.length > 0 && width(characters.join('')) > limit - 1) {
    if (end === 'start') characters.shift();
    else characters.pop();
  }
  return end === 'start' ? `…${characters.join('')}` : `${characters.join('').trimEnd()}…`;
}
