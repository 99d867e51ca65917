import { type Cursor, type Findings, readWord, type ShellWord } from './shellWord.ts';

/** One simple command. */
export interface ShellPart {
  /** As it was written, without redirections that can do no harm. */
  readonly raw: string;
  readonly words: readonly ShellWord[];
}

/** What a command line was read as. */
export interface ShellReading extends Readonly<Findings> {
  /** Every simple command, those of substitutions and groups too. */
  readonly parts: readonly ShellPart[];
}

/** Words that begin or continue a compound command, so that what follows them is a command again. */
export const keywords = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac select function time coproc in'.split(' '),
);

/** An assignment in front of a command. */
export const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const maxNesting = 24;
// Control characters and blanks other than space, tab and newline: never needed, and shells disagree about them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const odd = /[\u0000-\u0008\u000e-\u001f\u007f]|[^\S \t\n]/;

/**
 * Splits a command line the way a POSIX shell or bash does. It expands and runs nothing. Only a reading that is `plain` may be judged
 * part by part for an allow; one that is not `sure` may hide parts from a deny.
 */
export function readShell(command: string): ShellReading {
  const parts: ShellPart[] = [];
  const findings: Findings = { plain: !odd.test(command), sure: true, tangled: false };
  const commands = (cursor: Cursor, closes: boolean): void => {
    const inner: Cursor = { ...cursor, nesting: cursor.nesting + 1 };
    readCommands(inner, closes, parts);
    cursor.at = inner.at;
  };
  readCommands({ source: command, at: 0, nesting: 0, findings, commands }, false, parts);
  return { parts, ...findings };
}

function readCommands(cursor: Cursor, closes: boolean, parts: ShellPart[]): void {
  const { source, findings } = cursor;
  if (cursor.nesting > maxNesting) {
    findings.plain = findings.sure = false;
    findings.tangled = true;
    cursor.at = source.length;
    return;
  }
  let part = draftPart(cursor.at);
  let groups = 0;
  const endPart = () => {
    finishPart(part, cursor, parts);
    part = draftPart(cursor.at + 1);
  };
  while (cursor.at < source.length) {
    const char = source[cursor.at]!;
    if (char === ' ' || char === '\t') {
      cursor.at++;
    } else if (redirection(source, cursor.at)) {
      readRedirection(cursor, part, cursor.at, parts);
    } else if (/[\n;&|()]/.test(char)) {
      endPart();
      cursor.at++;
      if (char !== '(' && char !== ')') continue;
      findings.plain = false;
      groups += char === '(' ? 1 : -1;
      if (groups >= 0) continue;
      if (closes) return;
      groups = 0;
    } else if (char === '#' && /[ \t\n;&|()]/.test(source[cursor.at - 1] ?? ' ')) {
      findings.plain = false;
      const end = source.indexOf('\n', cursor.at);
      endPart();
      cursor.at = end < 0 ? source.length : end;
      part = draftPart(cursor.at);
    } else {
      const from = cursor.at;
      const word = readWord(cursor);
      // Digits right before `<` or `>` say which descriptor is meant.
      const descriptor = /^\d+$/.test(word.text) && !word.quoted && redirection(source, cursor.at);
      if (descriptor && source[cursor.at] !== '&') readRedirection(cursor, part, from, parts);
      else if (word.text !== '' || word.quoted) part.words.push(word);
    }
  }
  endPart();
  // The parenthesis that should have closed it is missing.
  if (closes) findings.plain = findings.sure = false;
}

interface PartDraft {
  readonly from: number;
  readonly words: ShellWord[];
  /** Stretches of the source that are harmless redirections. */
  readonly cuts: (readonly [number, number])[];
}

const draftPart = (from: number): PartDraft => ({ from, words: [], cuts: [] });

function finishPart({ from, words, cuts }: PartDraft, { source, at, findings }: Cursor, parts: ShellPart[]): void {
  const first = words[0];
  if (first && (keywords.has(first.text) || assignment.test(first.text))) findings.plain = false;
  // The `)` of its branches looks like the end of a substitution.
  if (first?.text === 'case') findings.sure = false;
  let raw = '';
  let done = from;
  for (const [start, end] of cuts) {
    raw += source.slice(done, start);
    done = end;
  }
  raw = (raw + source.slice(done, at)).trim();
  if (words.length > 0 || raw !== '') parts.push({ raw, words });
}

/** The operator of a redirection that stands here; `<(` and `>(` are none. */
function redirection(source: string, at: number): string | undefined {
  const found = /^(?:&>>?|<<<|<<-?|<>|<&|>>|>\||>&|[<>](?!\())/.exec(source.slice(at, at + 3));
  return found?.[0];
}

function readRedirection(cursor: Cursor, part: PartDraft, from: number, parts: ShellPart[]): void {
  const { source, findings } = cursor;
  const operator = redirection(source, cursor.at)!;
  cursor.at += operator.length;
  while (source[cursor.at] === ' ' || source[cursor.at] === '\t') cursor.at++;
  const target = readWord(cursor);
  if (operator.startsWith('<<')) {
    findings.plain = false;
    // What a here-document holds is text or commands, as its reader likes; its lines are read on as commands.
    if (operator !== '<<<') findings.sure = false;
    else parts.push({ raw: target.text, words: [target] });
    return;
  }
  // `&>` is one operator to bash and two to sh, which would run what follows.
  if (operator.startsWith('&')) findings.plain = false;
  const harmless = operator.endsWith('&') ? /^(?:\d+|-)$/.test(target.text) : target.text === '/dev/null';
  if (harmless && !target.quoted) part.cuts.push([from, cursor.at]);
  else findings.plain = false;
}
