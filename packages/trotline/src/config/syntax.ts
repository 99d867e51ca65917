import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Reporter } from './problem.ts';
import type { Source } from './source.ts';

const MAX_DEPTH = 64;
const MAX_TOKENS = 200_000;

// jsonc-parser declares its kinds as const enums, which a compiler that erases types cannot inline.
const CLOSING = new Map([
  [1, 2],
  [3, 4],
]);
const CLOSERS = new Set(CLOSING.values());
const COMMA = 5;
const STRING = 10;
const EOF = 17;
const INVALID_CHARACTER = 16;

/**
 * Parses the text of a configuration into a tree with offsets. Slips that leave the meaning clear (a trailing comma, a raw tab)
 * are reported and parsed over, so that what follows is checked in the same run.
 */
export function parseSyntax(source: Source, report: Reporter): Node | undefined {
  if (!scanTokens(source, report)) return undefined;
  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors, { allowTrailingComma: true });
  const hard = errors.filter((error) => Number(error.error) !== INVALID_CHARACTER);
  const seen = new Set<number>();
  for (const error of hard) {
    const place = { file: source.file, ...source.lines.at(error.offset) };
    // What else is wrong on a line mostly follows from the first thing.
    if (seen.has(place.line)) continue;
    seen.add(place.line);
    const found = hints[printParseErrorCode(error.error)] ?? { what: 'This is not JSON' };
    report.error('config.syntax', place, found);
  }
  return hard.length === 0 ? tree : undefined;
}

const hints: Readonly<Record<string, { what: string; expected?: string; remedy?: string }>> = {
  InvalidSymbol: {
    what: 'This word is not a JSON value',
    expected: 'a string in double quotes, a number, true, false, null, { or [',
  },
  InvalidNumberFormat: { what: 'This number cannot be read' },
  PropertyNameExpected: { what: 'A key is missing or is not in double quotes', expected: 'a key in double quotes' },
  ValueExpected: { what: 'A value is missing here', expected: 'a value' },
  ColonExpected: { what: 'A colon is missing after the key', expected: ':' },
  CommaExpected: { what: 'A comma is missing before this', expected: ',' },
  CloseBraceExpected: { what: 'The file ends, or this stands, before an object is closed', expected: '}' },
  CloseBracketExpected: { what: 'The file ends, or this stands, before a list is closed', expected: ']' },
  EndOfFileExpected: { what: 'There is text after the configuration', expected: 'the end of the file' },
  UnexpectedEndOfComment: { what: 'A comment is not closed', expected: '*/' },
  UnexpectedEndOfString: {
    what: 'A string is not closed on its line',
    expected: '"',
    remedy: 'Close the string, or write \\n for a line break in it.',
  },
  InvalidUnicode: { what: 'A \\u escape is not complete', expected: 'four hexadecimal digits' },
  InvalidEscapeCharacter: {
    what: 'A backslash is followed by a character that makes no escape',
    remedy: 'Write \\\\ for a backslash.',
  },
};

/** One pass over the tokens, before anything recursive sees the text. Says whether the text may be parsed. */
function scanTokens(source: Source, report: Reporter): boolean {
  const { text, file, lines } = source;
  const scanner = createScanner(text, true);
  const open: number[] = [];
  let comma = -1;
  for (let count = 0; ; count++) {
    const kind: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    const place = () => ({ file, ...lines.at(offset) });
    if (kind === EOF) {
      if (count > 0) return true;
      report.error('config.empty', { file, line: 1, column: 1 }, { what: 'The file is empty', expected: 'an object' });
      return false;
    }
    if (count === MAX_TOKENS) {
      const what = `The file has more than ${MAX_TOKENS} words and signs`;
      report.error('config.too-large', place(), { what });
      return false;
    }
    const closing = CLOSING.get(kind);
    if (closing !== undefined) open.push(closing);
    if (open.length > MAX_DEPTH) {
      const what = `The nesting is deeper than ${MAX_DEPTH} levels`;
      report.error('config.too-deep', place(), { what });
      return false;
    }
    if (CLOSERS.has(kind)) {
      // A bracket that closes nothing must not make room for deeper nesting: the parser would go on inside.
      if (open.at(-1) === kind) open.pop();
      if (comma >= 0)
        report.error(
          'config.trailing-comma',
          { file, ...lines.at(comma) },
          { what: 'A comma stands before a closing bracket' },
        );
    }
    comma = kind === COMMA ? offset : -1;
    if (kind === STRING) reportControls(source, offset, scanner.getTokenLength(), report);
  }
}

function reportControls(source: Source, offset: number, length: number, report: Reporter): void {
  for (let at = offset; at < offset + length; at++) {
    const code = source.text.charCodeAt(at);
    if (code > 31) continue;
    const name = code === 9 ? 'tab' : `control character U+${code.toString(16).padStart(4, '0').toUpperCase()}`;
    const escaped = code === 9 ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`;
    report.error(
      'config.control-character',
      { file: source.file, ...source.lines.at(at) },
      {
        what: `A raw ${name} stands in a string`,
        expected: escaped,
        remedy: `Write ${escaped} instead.`,
      },
    );
    return;
  }
}
