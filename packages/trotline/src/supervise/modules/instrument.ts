import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GuardPlace } from './types.ts';

/** The names that compiled code uses to reach the host. A source that contains the first is refused. */
export const HOST = '__trotline$';
export const COUNTER = `${HOST}g`;

export interface Instrumented {
  /** The source with guards and a source map in its last line. */
  readonly code: string;
  /** Set when the parser of the guards refused the file: the bundler must refuse it too. */
  readonly refused?: { readonly text: string; readonly line: number; readonly column: number };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForInStatement', 'ForOfStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/**
 * Puts a guard at the head of each loop body and each function body, and gives `import.meta`, `__dirname` and `__filename`
 * the values that they have in the file itself rather than in the bundle. Nothing else of the program changes, no line moves.
 */
export async function instrument(
  file: string,
  source: string,
  options: { readonly guards: boolean; readonly places: GuardPlace[]; readonly sourceName: string },
): Promise<Instrumented> {
  const [{ parseSync }, { default: MagicString }] = await Promise.all([import('oxc-parser'), import('magic-string')]);
  const parsed = parseSync(file, source, { lang: languageOf(file), sourceType: 'unambiguous' });
  const lines = lineTable(source);
  const failure = parsed.errors[0];
  if (failure !== undefined) {
    return { code: source, refused: { text: failure.message, ...placeAt(lines, failure.labels[0]?.start ?? 0) } };
  }
  const program = parsed.program as unknown as Node;
  const edit = new MagicString(source);
  const ends: { at: number; text: string }[] = [];

  const guardAt = (node: Node, what: GuardPlace['what']): string => {
    options.places.push({ file, ...placeAt(lines, node.start), what });
    return `++${COUNTER}.n>${COUNTER}.lim`;
  };
  const stop = (): string => `${COUNTER}.check(${options.places.length - 1})`;

  const guardLoop = (node: Node, body: Node): void => {
    const statement = `if(${guardAt(node, 'loop')})${stop()};`;
    if (body.type === 'BlockStatement') {
      edit.appendLeft(body.start + 1, statement);
    } else {
      edit.appendLeft(body.start, `{${statement}`);
      ends.push({ at: body.end, text: '}' });
    }
  };
  const guardFunction = (node: Node, body: Node): void => {
    if (body.type === 'BlockStatement') {
      const directives = (body['body'] as Node[]).filter((statement) => typeof statement['directive'] === 'string');
      const at = directives.at(-1)?.end ?? body.start + 1;
      // After a directive without a semicolon the guard would become part of its line.
      edit.appendLeft(at, `${directives.length > 0 ? ';' : ''}if(${guardAt(node, 'function')})${stop()};`);
    } else {
      edit.appendLeft(body.start, `(${guardAt(node, 'function')}&&${stop()},`);
      ends.push({ at: body.end, text: ')' });
    }
  };

  // An explicit stack: a deeply nested program must not overflow ours. Parents come before their children.
  const stack: unknown[] = [program];
  while (stack.length > 0) {
    const item = stack.pop();
    if (Array.isArray(item)) {
      for (const child of item) stack.push(child);
      continue;
    }
    if (!isNode(item)) continue;
    if (item.type === 'MetaProperty') {
      if (source.startsWith('import', item.start)) {
        edit.update(item.start, item.end, `${HOST}.meta(${JSON.stringify(pathToFileURL(file).href)})`);
      }
      continue;
    }
    const body = item['body'];
    if (options.guards && isNode(body)) {
      if (LOOPS.has(item.type)) guardLoop(item, body);
      else if (FUNCTIONS.has(item.type)) guardFunction(item, body);
    }
    for (const key in item) if (key !== 'type') stack.push(item[key]);
  }
  // Where several end at one place, the innermost closes first.
  for (const { at, text } of ends.reverse()) edit.appendLeft(at, text);
  const hashbang = program['hashbang'];
  edit.appendLeft(isNode(hashbang) ? hashbang.end + 1 : 0, ownNames(file, source, program));

  const map = edit.generateMap({ source: options.sourceName, hires: 'boundary' });
  return { code: `${edit.toString()}\n//# sourceMappingURL=${map.toUrl()}\n` };
}

/** `__dirname` and `__filename` of this file, unless it declares them itself. */
function ownNames(file: string, source: string, program: Node): string {
  const values = { __dirname: dirname(file), __filename: file };
  const declared = new Set<string>();
  for (const statement of program['body'] as Node[]) {
    const declarations = (statement['declaration'] ?? statement) as Node;
    for (const part of (declarations['declarations'] ?? declarations['specifiers'] ?? []) as Node[]) {
      const name = part['id'] ?? part['local'];
      if (isNode(name)) declared.add(String(name['name']));
    }
  }
  return Object.entries(values)
    .filter(([name]) => source.includes(name) && !declared.has(name))
    .map(([name, value]) => `var ${name}=${JSON.stringify(value)};`)
    .join('');
}

function languageOf(file: string): 'js' | 'jsx' | 'ts' | 'tsx' {
  const ext = extname(file);
  if (ext === '.tsx') return 'tsx';
  if (ext === '.ts' || ext === '.mts' || ext === '.cts') return 'ts';
  return ext === '.jsx' ? 'jsx' : 'js';
}

function lineTable(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeAt(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
