/** `…` stands for any text within a line; a line of its own for any lines. */
const wildcard = '…';

/** Says where what was printed differs from what a page says, or nothing. */
export function difference(expected: string, printed: string): string | undefined {
  const want = trimmed(expected);
  const got = trimmed(printed);
  return matches(want, got) ? undefined : `the page says:\n${want.join('\n')}\n\nbut it printed:\n${got.join('\n')}`;
}

const trimmed = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n');

function matches([first, ...rest]: readonly string[], printed: readonly string[]): boolean {
  if (first === undefined) return printed.length === 0;
  if (first.trim() === wildcard) {
    for (let skipped = 0; skipped <= printed.length; skipped++) if (matches(rest, printed.slice(skipped))) return true;
    return false;
  }
  const [line, ...left] = printed;
  return line !== undefined && lineFits(first, line) && matches(rest, left);
}

function lineFits(pattern: string, line: string): boolean {
  const parts = pattern.split(wildcard).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}
