/** A word of a command line, quotes removed. */
export interface ShellWord {
  /** Expansions stand in it as they were written. */
  readonly text: string;
  /** Without its expansions: what it is where they expand to nothing, as in `r$@m`. */
  readonly bare: string;
}

/** One simple command. */
export interface ShellPart {
  /** As it was written, without redirections that can do no harm. */
  readonly raw: string;
  readonly words: readonly ShellWord[];
}

export interface ShellReading {
  /** Every simple command, those of substitutions and groups too. */
  readonly parts: readonly ShellPart[];
  /** Nothing but simple commands with literal words joined by operators: only then may an allow be judged part by part. */
  readonly plain: boolean;
  /** The parts are what a shell would run. If false, a quote or a here-document may hide some. */
  readonly sure: boolean;
}

/** Words that begin a compound command, so that what follows is not an argument. */
export const keywords = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac select function time coproc in'.split(' '),
);

/** An assignment in front of a command. */
export const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const maxNesting = 24;
// Control characters and blanks other than space, tab and newline: never needed, and shells disagree about them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const odd = /[\u0000-\u0008\u000e-\u001f\u007f]|[^\S \t\n]/;

interface Cursor {
  readonly source: string;
  at: number;
}

/** Reads a command line the way a POSIX shell or bash splits it. It expands and runs nothing, and what it does not understand it says. */
export function readShell(command: string): ShellReading {
  const parts: ShellPart[] = [];
  let plain = !odd.test(command);
  let sure = true;

  // Reads commands up to the closing parenthesis of a substitution, or to the end.
  const list = (cursor: Cursor, closes: boolean, nesting: number): void => {
    const { source } = cursor;
    if (nesting > maxNesting) {
      plain = sure = false;
      cursor.at = source.length;
      return;
    }
    let start = cursor.at;
    let words: ShellWord[] = [];
    let cuts: [number, number][] = [];
    let word: { text: string; bare: string; from: number; quoted: boolean } | undefined;
    let target: { from: number; dup: boolean } | undefined;
    let groups = 0;

    const open = () => {
      word ??= { text: '', bare: '', from: cursor.at, quoted: false };
      return word;
    };
    const put = (text: string, bare = text) => {
      const into = open();
      into.text += text;
      into.bare += bare;
    };
    const endWord = () => {
      if (!word) return;
      if (target) {
        const { text, quoted } = word;
        const harmless = target.dup ? /^(?:\d+|-)$/.test(text) : text === '/dev/null';
        if (harmless && !quoted) cuts.push([target.from, cursor.at]);
        else plain = false;
        target = undefined;
      } else {
        words.push({ text: word.text, bare: word.bare });
      }
      word = undefined;
    };
    const endPart = () => {
      endWord();
      if (target) plain = false;
      target = undefined;
      const first = words[0]?.text;
      if (first !== undefined && (keywords.has(first) || assignment.test(first))) plain = false;
      if (first === 'case') sure = false;
      let raw = '';
      let from = start;
      for (const [cutFrom, cutTo] of cuts) {
        raw += source.slice(from, cutFrom);
        from = cutTo;
      }
      raw = (raw + source.slice(from, cursor.at)).trim();
      if (words.length > 0 || raw !== '') parts.push({ raw, words });
      words = [];
      cuts = [];
    };
    // A character that can only be understood with what follows it is left to the one who knows it.
    const substitution = (skip: number) => {
      plain = false;
      open();
      cursor.at += skip;
      const from = cursor.at;
      list(cursor, true, nesting + 1);
      put(source.slice(from - skip, cursor.at), '');
    };
    const dollar = (inQuotes: boolean) => {
      plain = false;
      const next = source[cursor.at + 1];
      if (next === '(') return substitution(2);
      if (next === "'" && !inQuotes) return put(ansiQuoted(cursor, fail));
      if (next === '"' && !inQuotes) {
        cursor.at++;
        return;
      }
      const from = cursor.at;
      if (next === '{') {
        braces(cursor);
      } else {
        const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])?/.exec(source.slice(from, from + 256));
        cursor.at += name?.[0].length ?? 1;
      }
      const text = source.slice(from, cursor.at);
      if (!inQuotes && /^\$\{?IFS\b/.test(text)) endWord();
      else put(text, text === '$' ? text : '');
    };
    // `${…}` may hold a substitution; its text is read for commands and skipped.
    const braces = (inside: Cursor) => {
      let depth = 0;
      for (; inside.at < source.length; inside.at++) {
        const char = source[inside.at];
        if (char === '\\') inside.at++;
        else if (char === '{') depth++;
        else if (char === '}' && --depth === 0) {
          inside.at++;
          return;
        } else if (char === '`') sure = false;
        else if (char === '$' && source[inside.at + 1] === '(') {
          inside.at += 2;
          list(inside, true, nesting + 1);
          inside.at--;
        }
      }
      fail();
    };
    const fail = () => {
      plain = sure = false;
    };
    const backtick = () => {
      plain = false;
      const from = cursor.at;
      let inner = '';
      for (cursor.at++; cursor.at < source.length && source[cursor.at] !== '`'; cursor.at++) {
        if (source[cursor.at] === '\\' && /[`\\$]/.test(source[cursor.at + 1] ?? '')) cursor.at++;
        inner += source[cursor.at];
      }
      if (cursor.at >= source.length) fail();
      cursor.at++;
      list({ source: inner, at: 0 }, false, nesting + 1);
      put(source.slice(from, cursor.at), '');
    };
    const doubleQuoted = () => {
      open().quoted = true;
      cursor.at++;
      while (cursor.at < source.length && source[cursor.at] !== '"') {
        const char = source[cursor.at];
        if (char === '$') dollar(true);
        else if (char === '`') backtick();
        else if (char === '\\' && /[$`"\\\n]/.test(source[cursor.at + 1] ?? '')) {
          if (source[cursor.at + 1] === '\n') plain = false;
          else put(source[cursor.at + 1] ?? '');
          cursor.at += 2;
        } else {
          put(char ?? '');
          cursor.at++;
        }
      }
      if (cursor.at >= source.length) fail();
      cursor.at++;
    };
    const redirect = () => {
      const operator = /^(?:<<<|<<-?|<>|<&|>>|>\||>&|<|>)/.exec(source.slice(cursor.at, cursor.at + 3))![0];
      const descriptor = word && /^\d+$/.test(word.text) && !word.quoted ? word : undefined;
      if (descriptor) word = undefined;
      else endWord();
      if (target) plain = false;
      const from = descriptor?.from ?? cursor.at;
      cursor.at += operator.length;
      if (operator.startsWith('<<')) {
        plain = false;
        // What a here-document holds is text or commands, as its reader likes.
        if (operator !== '<<<') sure = false;
        return;
      }
      target = { from, dup: operator.endsWith('&') };
    };

    while (cursor.at < source.length) {
      const char = source[cursor.at]!;
      const next = source[cursor.at + 1];
      if (char === '\\') {
        if (next === '\n' || next === undefined) plain = false;
        else {
          open().quoted = true;
          put(next);
        }
        cursor.at += 2;
      } else if (char === "'") {
        open().quoted = true;
        const close = source.indexOf("'", cursor.at + 1);
        if (close < 0) fail();
        put(source.slice(cursor.at + 1, close < 0 ? undefined : close));
        cursor.at = close < 0 ? source.length : close + 1;
      } else if (char === '"') doubleQuoted();
      else if (char === '$') dollar(false);
      else if (char === '`') backtick();
      else if ((char === '<' || char === '>') && next === '(') substitution(2);
      else if (char === '<' || char === '>') redirect();
      else if (char === '&' && next === '>') {
        endWord();
        const from = cursor.at;
        cursor.at += source[cursor.at + 2] === '>' ? 3 : 2;
        target = { from, dup: false };
      } else if (char === '#' && !word) {
        plain = false;
        const end = source.indexOf('\n', cursor.at);
        endPart();
        cursor.at = end < 0 ? source.length : end;
        start = cursor.at;
      } else if (char === ' ' || char === '\t') {
        endWord();
        cursor.at++;
      } else if (/[\n;&|()]/.test(char)) {
        endPart();
        if (char === '(') groups++;
        if (char === '(' || char === ')') plain = false;
        cursor.at++;
        start = cursor.at;
        if (char === ')' && groups-- === 0) {
          if (closes) return;
          groups = 0;
        }
      } else {
        put(char);
        cursor.at++;
      }
    }
    endPart();
    if (closes) fail();
  };

  list({ source: command, at: 0 }, false, 0);
  return { parts, plain, sure };
}

const ansiEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', e: '\x1b' };

// `$'…'`, in which letters may be written as numbers.
function ansiQuoted(cursor: Cursor, fail: () => void): string {
  const { source } = cursor;
  let out = '';
  for (cursor.at += 2; cursor.at < source.length; ) {
    const char = source[cursor.at]!;
    if (char === "'") {
      cursor.at++;
      return out;
    }
    if (char !== '\\') {
      out += char;
      cursor.at++;
      continue;
    }
    const code = /^\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3}))/.exec(
      source.slice(cursor.at, cursor.at + 10),
    );
    if (code) {
      const hex = code[1] ?? code[2] ?? code[3];
      const point = hex === undefined ? Number.parseInt(code[4]!, 8) : Number.parseInt(hex, 16);
      out += point <= 0x10ffff ? String.fromCodePoint(point) : '';
      cursor.at += code[0].length;
    } else {
      const next = source[cursor.at + 1] ?? '';
      out += ansiEscapes[next] ?? next;
      cursor.at += 2;
    }
  }
  fail();
  return out;
}
