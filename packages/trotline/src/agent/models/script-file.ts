import { readFileSync, statSync } from 'node:fs';
import { TrotlineError } from '@trotline/engine';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Where an expectation looks. */
const expectPlaces = ['system', 'messages', 'lastUser', 'lastToolResult', 'tools', 'options'] as const;
export type ExpectPlace = (typeof expectPlaces)[number];

/** One expectation: exactly one of `contains`, `absent` and `matches`. */
export interface Expectation {
  readonly in: ExpectPlace;
  readonly contains?: string;
  readonly absent?: string;
  /** A regular expression in JavaScript's syntax; its time is bounded. */
  readonly matches?: string;
}

export interface ScriptTurn {
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly expect: readonly Expectation[];
  /** The line of the turn in its file, from 1. */
  readonly line: number;
}

export interface ScriptFile {
  readonly file: string;
  readonly turns: readonly ScriptTurn[];
}

const maxBytes = 10_000_000;

/** Reads a script. Comments are allowed. Throws `agent.script-file` with file, line and column. */
export function readScriptFile(file: string): ScriptFile {
  let text: string;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const what = `the script cannot be read: ${(cause as Error).message}`;
    throw new TrotlineError('agent.script-file', { file, what, cause });
  }
  return parseScript(text, file);
}

/** Reads a script's text; `file` is for messages. Throws `agent.script-file`. */
export function parseScript(text: string, file: string): ScriptFile {
  const fail = (offset: number, what: string, expected?: string): never => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    throw new TrotlineError('agent.script-file', { file, line, column, what, ...(expected && { expected }) });
  };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined) fail(first.offset, `the JSON is faulty (${printParseErrorCode(first.error)})`);
  if (root === undefined) return fail(0, 'the script is empty', 'an object with turns');

  const fields = (node: Node, name: string, known: readonly string[]): Map<string, Node> => {
    if (node.type !== 'object') fail(node.offset, `${name} is ${article(node.type)}`, 'an object');
    const found = new Map<string, Node>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      if (!known.includes(key.value)) {
        fail(key.offset, `${name} has no key "${key.value}"`, `one of ${known.join(', ')}`);
      }
      found.set(key.value, value);
    }
    return found;
  };
  const string = (node: Node, name: string): string => {
    if (node.type !== 'string') fail(node.offset, `${name} is ${article(node.type)}`, 'a string');
    return node.value as string;
  };
  const list = (node: Node | undefined, name: string): readonly Node[] => {
    if (node === undefined) return [];
    if (node.type !== 'array') fail(node.offset, `${name} is ${article(node.type)}`, 'a list');
    return node.children ?? [];
  };

  const readCall = (node: Node): ScriptTurn['toolCalls'][number] => {
    const call = fields(node, 'a tool call', ['name', 'input']);
    const name = call.get('name');
    if (name === undefined) return fail(node.offset, 'a tool call has no name', '{"name": "Bash", "input": {…}}');
    const input = call.get('input');
    if (input !== undefined && input.type !== 'object') fail(input.offset, 'input is no object', 'an object');
    return { name: string(name, 'name'), input: input === undefined ? {} : (getNodeValue(input) as object as never) };
  };

  const readExpectation = (node: Node): Expectation => {
    const found = fields(node, 'an expectation', ['in', 'contains', 'absent', 'matches']);
    const place = found.get('in');
    const where = place && string(place, 'in');
    if (!expectPlaces.some((known) => known === where)) {
      fail((place ?? node).offset, `in is ${where === undefined ? 'missing' : `"${where}"`}`, expectPlaces.join(', '));
    }
    const kinds = (['contains', 'absent', 'matches'] as const).filter((kind) => found.has(kind));
    const [kind] = kinds;
    if (kind === undefined || kinds.length !== 1) {
      return fail(node.offset, 'an expectation needs exactly one test', 'one of contains, absent, matches');
    }
    const tested = found.get(kind) as Node;
    const value = string(tested, kind);
    if (kind === 'matches') {
      try {
        new RegExp(value, 'u');
      } catch (error) {
        fail(tested.offset, `matches is no regular expression: ${(error as Error).message}`);
      }
    }
    return { in: where as ExpectPlace, [kind]: value };
  };

  const turns = fields(root, 'the script', ['$schema', 'turns']).get('turns');
  if (turns === undefined) return fail(root.offset, 'the script has no turns', '{"turns": [{"text": "…"}]}');
  return {
    file,
    turns: list(turns, 'turns').map((node) => {
      const turn = fields(node, 'a turn', ['text', 'toolCalls', 'expect']);
      const said = turn.get('text');
      return {
        text: said === undefined ? '' : string(said, 'text'),
        toolCalls: list(turn.get('toolCalls'), 'toolCalls').map(readCall),
        expect: list(turn.get('expect'), 'expect').map(readExpectation),
        line: text.slice(0, node.offset).split('\n').length,
      };
    }),
  };
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
