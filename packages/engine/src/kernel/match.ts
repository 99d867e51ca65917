import { KernelError } from './failure.ts';
import type { Matcher, MatcherNode } from './types.ts';

type Test = (value: unknown) => boolean;

const pattern = /^!?(?:\*|[\w$-]+(?:\.[\w$-]+)*(?:\.\*)?)$/;

/** Refuses what is no pattern: `name`, `ns.*`, `*`, `!name`, `!ns.*`. */
export function checkPattern(text: string): void {
  if (!pattern.test(text) || text === '!*') {
    throw new KernelError(
      'pattern',
      `${JSON.stringify(text)} is no event pattern. Write a name, ns.*, *, !name or !ns.*`,
    );
  }
}

/** Does an event name fall under a pattern? */
export function covers(pattern: string, name: string): boolean {
  if (pattern === name || pattern === '*') return true;
  if (pattern.startsWith('!')) return !covers(pattern.slice(1), name);
  return pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1));
}

/** Does the event's data fit a matcher, a partial deep pattern? */
export function fits(matcher: Matcher, e: unknown): boolean {
  return compileMatcher(matcher)(e);
}

/**
 * Makes a matcher a test, once. Throws a `KernelError` (`kernel.matcher`) for a function, an absent value, a RegExp that
 * remembers (`g`, `y`) and a depth over 8. Later changes to the object have no effect.
 */
export function compileMatcher(matcher: Matcher): Test {
  if (matcher === null || typeof matcher !== 'object' || Array.isArray(matcher) || matcher instanceof RegExp) {
    throw new KernelError('matcher', 'A matcher is an object that names fields of the event');
  }
  return fields(matcher, 1);
}

function fields(matcher: Matcher, depth: number): Test {
  if (depth > 8) throw new KernelError('matcher', 'A matcher is nested deeper than 8');
  const keys = Object.keys(matcher);
  const tests = keys.map((key) => node(matcher[key] as MatcherNode, key, depth));
  return (value) => {
    if (value === null || typeof value !== 'object') return false;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (!Object.hasOwn(value, key) || !(tests[i] as Test)((value as Record<string, unknown>)[key])) return false;
    }
    return true;
  };
}

function node(pattern: MatcherNode, key: string, depth: number): Test {
  const test = single(pattern, key, depth);
  // An array in the event stands for each of its elements, arrays within it too. What is absent never matches.
  const deep: Test = (value) => (Array.isArray(value) ? value.some(deep) : value !== undefined && test(value));
  return deep;
}

function single(pattern: MatcherNode, key: string, depth: number): Test {
  if (Array.isArray(pattern)) {
    if (depth > 8) throw new KernelError('matcher', 'A matcher is nested deeper than 8');
    const tests = pattern.map((one: MatcherNode) => single(one, key, depth + 1));
    return (value) => tests.some((test) => test(value));
  }
  if (pattern instanceof RegExp) {
    if (pattern.global || pattern.sticky) {
      throw new KernelError(
        'matcher',
        `The RegExp at ${key} has the flag g or y, which would make it remember. Leave it out`,
      );
    }
    const own = new RegExp(pattern.source, pattern.flags);
    return (value) => own.test(typeof value === 'object' && value !== null ? '[object Object]' : String(value));
  }
  if (pattern !== null && typeof pattern === 'object') return fields(pattern as Matcher, depth + 1);
  if (pattern !== null && !['string', 'number', 'boolean'].includes(typeof pattern)) {
    throw new KernelError(
      'matcher',
      `The matcher has a ${typeof pattern} at ${key}. Write plain values, lists or a RegExp`,
    );
  }
  return (value) => value === pattern;
}
