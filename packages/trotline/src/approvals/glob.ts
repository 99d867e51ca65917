/** Counts the characters a match looked at; tests bound it. */
export interface Work {
  steps: number;
}

/** A compiled glob. The work of a test is linear in the text and the pattern, whatever they hold. */
export interface Glob {
  readonly pattern: string;
  /** Whether `*` stands in it anywhere. */
  readonly wild: boolean;
  test(text: string, work?: Work): boolean;
}

interface Segment {
  readonly text: string;
  /** Where to go on in `text` after a mismatch, so that no character of the searched text is looked at again. */
  readonly fallback: Int32Array;
}

/**
 * Compiles a glob in which `*` stands for any run of characters, also none, spaces and newlines included; everything else stands for
 * itself. `**` is `*`.
 */
export function compileGlob(pattern: string): Glob {
  const pieces = pattern.split('*');
  const first = pieces[0]!;
  const wild = pieces.length > 1;
  const last = wild ? pieces.at(-1)! : '';
  const middle = pieces
    .slice(1, -1)
    .filter((piece) => piece !== '')
    .map(segment);
  return {
    pattern,
    wild,
    test: (text, work = { steps: 0 }) => {
      work.steps += first.length + last.length;
      if (!wild) return text === first;
      if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
      const end = text.length - last.length;
      let at = first.length;
      // The leftmost place of each piece leaves the most room for the rest, so that nothing is ever tried twice.
      for (const piece of middle) {
        at = search(text, piece, at, end, work);
        if (at < 0) return false;
      }
      return true;
    },
  };
}

function segment(text: string): Segment {
  const fallback = new Int32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = fallback[length - 1]!;
    if (text[at] === text[length]) length++;
    fallback[at] = length;
  }
  return { text, fallback };
}

// Knuth, Morris and Pratt. Returns the position after the piece, or -1.
function search(text: string, { text: piece, fallback }: Segment, from: number, end: number, work: Work): number {
  let found = 0;
  for (let at = from; at < end; at++) {
    work.steps++;
    while (found > 0 && text[at] !== piece[found]) {
      work.steps++;
      found = fallback[found - 1]!;
    }
    if (text[at] === piece[found]) found++;
    if (found === piece.length) return at + 1;
  }
  return -1;
}

/** Whether a tool's name matches a name with `*` (any run) and `?` (any one character). Both are short; the work is at most their product. */
export function matchName(pattern: string, name: string): boolean {
  let at = 0;
  let want = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    if (pattern[want] === '*') {
      star = want++;
      retry = at;
    } else if (want < pattern.length && (pattern[want] === '?' || pattern[want] === name[at])) {
      want++;
      at++;
    } else if (star >= 0) {
      want = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[want] === '*') want++;
  return want === pattern.length;
}
