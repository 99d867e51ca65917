import { namesOf, tools } from '@trotline/engine';
import { suggest } from './suggest.ts';

/** ` (did you mean Bash?)`, or nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = suggest(name, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/**
 * Why a tool's name is probably a mistake; undefined for a tool of the table, a pattern that fits one, and whatever an MCP
 * server may bring. Programs may have tools of their own, so that this is a warning and never an error.
 */
export function unknownTool(name: string): string | undefined {
  if (name.startsWith('mcp__') || Object.keys(tools).some((tool) => fitsName(name, tool))) return undefined;
  const elsewhere = Object.keys(tools).find((tool) => namesOf(tool).includes(name));
  const hint = elsewhere === undefined ? didYouMean(name, Object.keys(tools)) : ` (here it is called ${elsewhere})`;
  return `no tool ${name} is known${hint}`;
}

/** `*` stands for any text in the name of a tool, `?` for one character. */
function fitsName(pattern: string, name: string): boolean {
  const source = [...pattern].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[^\w]/g, '\\$&'))).join('');
  return new RegExp(`^${source}$`).test(name);
}
