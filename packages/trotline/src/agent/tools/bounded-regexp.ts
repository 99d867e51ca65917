import { createContext, Script } from 'node:vm';

/** Where a match stands: from and to. */
export type Span = readonly [from: number, to: number];

const context = createContext(Object.create(null));
const testing = new Script('new RegExp(source, flags).test(text)');
const finding = new Script(`{
  const found = [];
  const regexp = new RegExp(source, flags);
  for (let match = regexp.exec(text); match !== null && found.length < 2 * limit; match = regexp.exec(text)) {
    found.push(match.index, match.index + match[0].length);
    if (match[0] === '') regexp.lastIndex++;
  }
  found.join();
}`);
const findingLines = new Script(`{
  const found = [];
  const regexp = new RegExp(source, flags.replace('g', ''));
  const lines = text.split(/\\r?\\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  for (let line = 0; line < lines.length && found.length < 2 * limit; line++) {
    if (regexp.test(lines[line])) found.push(line, line);
  }
  found.join();
}`);

/** Whether a pattern fits a text; `'slow'` when that cannot be told in `ms`. The pattern must be valid. */
export function testBounded(source: string, flags: string, text: string, ms = 500): boolean | 'slow' {
  return bounded(testing, { source, flags, text }, ms) as boolean | 'slow';
}

/**
 * The first `limit` matches, in characters or, with `byLine`, the numbers of the lines that fit, from 0; `'slow'` when
 * they cannot be found in `ms`. The pattern must be valid and its flags hold `g`.
 */
export function findBounded(
  source: string,
  flags: string,
  text: string,
  limit: number,
  ms: number,
  byLine: boolean,
): readonly Span[] | 'slow' {
  const flat = bounded(byLine ? findingLines : finding, { source, flags, text, limit }, ms);
  if (flat === 'slow') return 'slow';
  const numbers = flat === '' ? [] : String(flat).split(',').map(Number);
  return Array.from(
    { length: numbers.length / 2 },
    (_, at) => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0] as const,
  );
}

// V8 can stop a regular expression while it backtracks, and a context with a timeout is the way to ask for that. Only
// strings and numbers go in and come out, and the code is ours: nothing of either realm reaches the other.
function bounded(script: Script, values: Readonly<Record<string, string | number>>, timeout: number): unknown {
  try {
    Object.assign(context, values);
    return script.runInContext(context, { timeout });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'slow';
    throw error;
  } finally {
    context['text'] = '';
  }
}
