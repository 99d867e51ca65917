import type { Matcher, MatcherNode } from './types.ts';

/** Does an event name fall under a pattern: exact, `ns.*`, `*`, `!name`, `!ns.*`? */
export function covers(pattern: string, name: string): boolean {
  if (pattern.startsWith('!')) return !covers(pattern.slice(1), name);
  if (pattern === '*') return true;
  if (pattern.endsWith('.*')) return name.startsWith(pattern.slice(0, -1));
  return pattern === name;
}

/** Does the event's data fit a matcher, a partial deep pattern? */
export function fits(matcher: Matcher, e: unknown): boolean {
  if (e === null || typeof e !== 'object') return false;
  for (const key of Object.keys(matcher)) {
    if (!node(matcher[key] as MatcherNode, (e as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function node(pattern: MatcherNode, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((v) => node(pattern, v));
  if (Array.isArray(pattern)) return pattern.some((p) => node(p, value));
  if (pattern instanceof RegExp) {
    pattern.lastIndex = 0;
    return value !== undefined && pattern.test(String(value));
  }
  if (pattern !== null && typeof pattern === 'object') return fits(pattern as Matcher, value);
  return pattern === value;
}
