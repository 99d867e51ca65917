/** A word of a command line, quotes removed. */
export interface ShellWord {
  /** Expansions stand in it as they were written. */
  readonly text: string;
  /** Without its expansions: what it is where they expand to nothing, as in `r$@m`. */
  readonly bare: string;
  /** A quote or an escape stands in it. */
  readonly quoted: boolean;
}

/** What reading has found out so far; one object for a command line and all that is nested in it. */
export interface Findings {
  /** Nothing but literal words and operators was met. */
  plain: boolean;
  /** What was read is what a shell would read. */
  sure: boolean;
  /** It is nested deeper than anyone follows. */
  tangled: boolean;
}

/** A place in a text that is being read. */
export interface Cursor {
  readonly source: string;
  at: number;
  readonly nesting: number;
  readonly findings: Findings;
  /** Reads the commands of a substitution: up to its closing parenthesis if it `closes`, else to the end of the text. */
  readonly commands: (cursor: Cursor, closes: boolean) => void;
}

type Draft = { -readonly [key in keyof ShellWord]: ShellWord[key] };

const maxName = 256;

/** Reads one word, up to a blank or an operator outside quotes. An unquoted `$IFS` ends it too, because it is a blank to a shell. */
export function readWord(cursor: Cursor): ShellWord {
  const { source, findings } = cursor;
  const word: Draft = { text: '', bare: '', quoted: false };
  while (cursor.at < source.length) {
    const char = source[cursor.at]!;
    const next = source[cursor.at + 1];
    if (/[ \t\n;&|()]/.test(char)) break;
    if (char === '<' || char === '>') {
      // `<(…)` is a word; every other one begins a redirection.
      if (next !== '(') break;
      substitution(cursor, word);
    } else if (char === '\\') {
      cursor.at += 2;
      if (next === undefined || next === '\n') findings.plain = false;
      else {
        word.quoted = true;
        put(word, next);
      }
    } else if (char === "'") singleQuoted(cursor, word);
    else if (char === '"') doubleQuoted(cursor, word);
    else if (char === '`') backquoted(cursor, word);
    else if (char !== '$') {
      cursor.at++;
      put(word, char);
    } else if (next === "'") ansiQuoted(cursor, word);
    else if (next === '"') {
      findings.plain = false;
      cursor.at++;
    } else if (dollar(cursor, word) === 'blank') break;
  }
  return word;
}

function put(word: Draft, text: string, bare = text): void {
  word.text += text;
  word.bare += bare;
}

function doubt({ findings }: Cursor): void {
  findings.plain = findings.sure = false;
}

function singleQuoted(cursor: Cursor, word: Draft): void {
  const { source } = cursor;
  const close = source.indexOf("'", cursor.at + 1);
  const end = close < 0 ? source.length : close;
  if (close < 0) doubt(cursor);
  word.quoted = true;
  put(word, source.slice(cursor.at + 1, end));
  cursor.at = end + 1;
}

function doubleQuoted(cursor: Cursor, word: Draft): void {
  const { source, findings } = cursor;
  word.quoted = true;
  cursor.at++;
  while (cursor.at < source.length && source[cursor.at] !== '"') {
    const char = source[cursor.at]!;
    const next = source[cursor.at + 1] ?? '';
    if (char === '$') {
      // In quotes `$IFS` separates nothing.
      dollar(cursor, word);
    } else if (char === '`') {
      backquoted(cursor, word);
    } else if (char === '\\' && /[$`"\\\n]/.test(next)) {
      if (next === '\n') findings.plain = false;
      else put(word, next);
      cursor.at += 2;
    } else {
      put(word, char);
      cursor.at++;
    }
  }
  if (cursor.at >= source.length) doubt(cursor);
  cursor.at++;
}

// `$(…)`, `<(…)` and `>(…)`. `$((…))` is read the same way: there a parenthesis is one more group.
function substitution(cursor: Cursor, word: Draft): void {
  const from = cursor.at;
  cursor.findings.plain = false;
  cursor.at += 2;
  cursor.commands(cursor, true);
  put(word, cursor.source.slice(from, cursor.at), '');
}

function backquoted(cursor: Cursor, word: Draft): void {
  const { source, nesting, findings, commands } = cursor;
  const from = cursor.at;
  let inner = '';
  findings.plain = false;
  for (cursor.at++; cursor.at < source.length && source[cursor.at] !== '`'; cursor.at++) {
    if (source[cursor.at] === '\\' && /[`\\$]/.test(source[cursor.at + 1] ?? '')) cursor.at++;
    inner += source[cursor.at] ?? '';
  }
  if (cursor.at >= source.length) doubt(cursor);
  cursor.at++;
  commands({ source: inner, at: 0, nesting, findings, commands }, false);
  put(word, source.slice(from, cursor.at), '');
}

function dollar(cursor: Cursor, word: Draft): 'blank' | 'word' {
  const { source, findings } = cursor;
  const from = cursor.at;
  findings.plain = false;
  if (source[from + 1] === '(') {
    substitution(cursor, word);
    return 'word';
  }
  if (source[from + 1] === '{') parameter(cursor);
  else cursor.at += /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])?/.exec(source.slice(from, from + maxName))![0].length;
  const text = source.slice(from, cursor.at);
  if (/^\$\{?IFS\b/.test(text)) {
    if (!word.quoted) return 'blank';
  }
  put(word, text, text === '$' ? text : '');
  return 'word';
}

// `${…}` may hold substitutions; they are read, the rest is skipped.
function parameter(cursor: Cursor): void {
  const { source } = cursor;
  let depth = 0;
  for (cursor.at++; cursor.at < source.length; cursor.at++) {
    const char = source[cursor.at];
    if (char === '\\') cursor.at++;
    else if (char === '{') depth++;
    else if (char === '}') {
      if (--depth > 0) continue;
      cursor.at++;
      return;
    } else if (char === '`') cursor.findings.sure = false;
    else if (char === '$' && source[cursor.at + 1] === '(') {
      cursor.at += 2;
      cursor.commands(cursor, true);
      cursor.at--;
    }
  }
  doubt(cursor);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', e: '\x1b' };

// `$'…'`, in which letters may be written as numbers.
function ansiQuoted(cursor: Cursor, word: Draft): void {
  const { source, findings } = cursor;
  findings.plain = false;
  word.quoted = true;
  cursor.at += 2;
  while (cursor.at < source.length && source[cursor.at] !== "'") {
    if (source[cursor.at] !== '\\') {
      put(word, source[cursor.at++]!);
      continue;
    }
    const code = /^\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3}))/.exec(
      source.slice(cursor.at, cursor.at + 10),
    );
    const next = source[cursor.at + 1] ?? '';
    put(word, code ? letter(code) : (escapes[next] ?? next));
    cursor.at += code?.[0].length ?? 2;
  }
  if (cursor.at >= source.length) doubt(cursor);
  cursor.at++;
}

function letter([, x, u, U, octal]: RegExpExecArray): string {
  const hex = x ?? u ?? U;
  const point = hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
