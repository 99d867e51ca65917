import type { z } from 'zod';
import { type Document, type Step, shown } from './document.ts';
import type { Finding, Reporter } from './problem.ts';
import { isWhole, knownKeys } from './schemaKeys.ts';
import { suggest } from './suggest.ts';

type Issue = z.core.$ZodIssue;

export interface ValidateOptions {
  /** Unknown keys are warnings: the file was written for another program. */
  readonly lax: boolean;
}

/**
 * Checks a document against a schema, reports everything, takes out what is faulty and returns the rest, which then fits the
 * schema. So one run shows every mistake, and later checks see only data of the right shape.
 */
export function validate<S extends z.ZodType>(
  document: Document,
  schema: S,
  report: Reporter,
  options: ValidateOptions,
): z.infer<S> | undefined {
  const { root } = document;
  // Each round takes out at least one part, and what is missing in a part takes the part with it: depth bounds the rounds.
  for (let round = 0; round < 64; round++) {
    const result = schema.safeParse(root);
    if (result.success) return root as z.infer<S>;
    const issues = result.error.issues.flatMap(flatten);
    // From the back, so that taking an element out of a list does not move those still to be looked at.
    const faults = issues.map((issue) => locate(root, issue));
    for (const fault of faults) tell(document, fault, schema, report, options);
    for (const fault of faults.reverse()) remove(document, fault);
    if (faults.some((fault) => fault.path.length === 0 && fault.issue.code !== 'unrecognized_keys')) return undefined;
  }
  return undefined;
}

interface Fault {
  readonly issue: Issue;
  readonly path: readonly Step[];
  /** What holds the faulty value, and what holds that. */
  readonly holders: readonly object[];
  readonly value: unknown;
}

/** The one alternative that was meant, for a value that may have several shapes. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((errors) => errors.length > 0 && !errors.some((inner) => misses(inner)));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] } as Issue));
}

const misses = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

function locate(root: unknown, issue: Issue): Fault {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const holders: object[] = [];
  let value: unknown = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) break;
    holders.push(value);
    value = Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }
  return { issue, path, holders, value };
}

function remove(document: Document, fault: Fault): void {
  const { issue, path, holders } = fault;
  if (issue.code === 'unrecognized_keys') {
    if (typeof fault.value === 'object' && fault.value !== null)
      for (const key of issue.keys) document.drop(fault.value, key);
    return;
  }
  // A needed value that is absent takes its holder with it, once, however many of its values are absent.
  const back = fault.value === undefined ? 2 : 1;
  const part = back === 2 ? holders[path.length - 1] : fault.value;
  const holder = holders[path.length - back];
  const step = path[path.length - back];
  if (holder === undefined || step === undefined || !Object.hasOwn(holder, step)) return;
  if (Reflect.get(holder, step) === part) document.drop(holder, step);
}

function tell(document: Document, fault: Fault, schema: z.ZodType, report: Reporter, options: ValidateOptions): void {
  const { issue, path, value } = fault;
  const holder = fault.holders.at(-1);
  const step = path.at(-1);
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) tellUnknown(document, fault, key, knownKeys(schema, path), report, options);
    return;
  }
  // A needed value that was taken out as faulty is not missing as well.
  if (value === undefined && holder !== undefined && document.dropped(holder, String(step))) return;
  const place =
    holder === undefined || step === undefined
      ? { file: document.file, line: 1, column: 1 }
      : document.place(holder, step);
  const name = step === undefined ? 'The configuration' : `"${shown(String(nameOf(path)))}"`;
  if (value === undefined && issue.code === 'invalid_type')
    report.error('config.missing-value', place, { what: `${name} is missing`, expected: typeName(issue.expected) });
  else if (issue.code === 'invalid_type' && issue.expected === 'array' && typeof value === 'string')
    report.error('config.string-for-list', place, listFinding(name, value, path));
  else if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'number' && isWhole(schema, path) ? 'int' : issue.expected;
    report.error('config.wrong-type', place, typeFinding(name, expected, value, path));
  } else if (issue.code === 'invalid_union')
    report.error('config.wrong-type', place, { what: `${name} is ${kindOf(value)}`, expected: unionText(issue) });
  else if (issue.code === 'invalid_value') {
    const near = typeof value === 'string' ? suggest(value, issue.values.map(String)) : undefined;
    report.error('config.wrong-value', place, {
      what: `${name} has a value that does not exist`,
      expected: issue.values.map((one) => JSON.stringify(one)).join(', '),
      ...(near === undefined ? {} : { remedy: `Did you mean "${near}"?` }),
    });
  } else if (issue.code === 'too_small')
    report.error('config.wrong-value', place, {
      what: `${name} is ${issue.origin === 'string' ? 'empty' : 'too small'}`,
      expected: issue.origin === 'string' ? 'at least one character' : `at least ${issue.minimum}`,
    });
  else if (issue.code === 'invalid_key' && holder !== undefined && step !== undefined)
    report.error('config.wrong-value', document.place(holder, step, 'key'), {
      what: `"${shown(String(step))}" cannot be a name here`,
      ...(issue.issues[0] === undefined ? {} : { expected: issue.issues[0].message }),
    });
  else if (issue.code === 'too_big')
    report.error('config.wrong-value', place, { what: `${name} is too large`, expected: `at most ${issue.maximum}` });
  else report.error('config.wrong-value', place, { what: `${name} is not valid` });
}

/** `command`, or `deny[2]` for an element. */
const nameOf = (path: readonly Step[]): string => {
  const last = path.at(-1);
  return typeof last === 'number' ? `${String(path.at(-2) ?? '')}[${last}]` : String(last);
};

function tellUnknown(
  document: Document,
  fault: Fault,
  key: string,
  known: readonly string[],
  report: Reporter,
  options: ValidateOptions,
): void {
  if (typeof fault.value !== 'object' || fault.value === null) return;
  const place = document.place(fault.value, key, 'key');
  const say = options.lax ? report.warning : report.error;
  const value: unknown = Reflect.get(fault.value, key);
  const timed = timedKey(key, known);
  if (timed !== undefined && typeof value === 'number') {
    const guess = value < 1000 ? value * 1000 : value;
    say('config.seconds', place, {
      what: `"${shown(key)}" does not exist; times are in milliseconds`,
      expected: `"${timed}"`,
      remedy: `Write "${timed}": ${guess}.`,
    });
    return;
  }
  const near = suggest(key, known);
  say('config.unknown-key', place, {
    what: `The key "${shown(key)}" is not known here`,
    ...(known.length === 0 ? {} : { expected: known.join(', ') }),
    ...(near === undefined ? {} : { remedy: `Did you mean "${near}"?` }),
  });
}

/** The key in milliseconds that a key without a unit, or with seconds, stands for. */
function timedKey(key: string, known: readonly string[]): string | undefined {
  const bare = key.toLowerCase().replace(/_?(s|sec|secs|seconds)$/, '');
  return known.find((one) => one === `${bare}_ms` || one === `${key.toLowerCase()}_ms`);
}

function listFinding(name: string, value: string, path: readonly Step[]): Finding {
  const words = path.at(-1) === 'command' ? value.trim().split(/\s+/) : [value];
  // The words of a command may hold a secret, so only its length decides what the example says.
  const example = path.at(-1) === 'command' && words.length > 1 ? '["program", "argument"]' : '["…"]';
  return { what: `${name} is a string`, expected: `a list of strings, ${example}` };
}

function typeFinding(name: string, expected: string, value: unknown, path: readonly Step[]): Finding {
  const finding: Finding = { what: `${name} is ${kindOf(value)}`, expected: typeName(expected) };
  const time = typeof value === 'string' && String(path.at(-1)).endsWith('_ms') ? milliseconds(value) : undefined;
  return time === undefined ? finding : { ...finding, remedy: `Write ${time}.` };
}

function milliseconds(text: string): number | undefined {
  const match = /^\s*(\d{1,9})\s*(ms|s|m|min|h)?\s*$/.exec(text);
  if (match === null) return undefined;
  const factor = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[match[2] ?? 'ms'] ?? 1;
  return Number(match[1]) * factor;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number with a fraction';
  return typeName(typeof value);
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  record: 'an object',
  object: 'an object',
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
};

const typeName = (type: string): string => typeNames[type] ?? type;

function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const texts = issue.errors.map(([first]) => {
    if (first?.code === 'invalid_type') return typeName(first.expected);
    if (first?.code === 'invalid_value') return first.values.map((one) => JSON.stringify(one)).join(', ');
    return 'another shape';
  });
  return [...new Set(texts)].join(', or ');
}
