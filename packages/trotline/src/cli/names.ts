import { type EventName, events, namesOf, TrotlineError, tools } from '@trotline/engine';
import { suggest } from '../config/index.ts';

/** ` (did you mean Bash?)`, or nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = suggest(name, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** An event by its name. Throws `cli.unknown-event`, with the name that was probably meant. */
export function eventNamed(name: string): EventName {
  if (Object.hasOwn(events, name)) return name as EventName;
  throw new TrotlineError('cli.unknown-event', {
    what: `there is no event ${name}${didYouMean(name, Object.keys(events))}`,
  });
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

/** What keeps arguments from being a call of a tool of the table, in words; nothing for a tool that is not in it. */
export function misfits(tool: string, input: Readonly<Record<string, unknown>>): string[] {
  if (!Object.hasOwn(tools, tool)) return [];
  const fields = tools[tool as keyof typeof tools].input;
  const missing = Object.entries(fields).flatMap(([name, shape]) => {
    if (Object.hasOwn(input, name)) return shape.misfit(input[name], name) ?? [];
    return shape.optional === true ? [] : `${name} is missing`;
  });
  const strange = Object.keys(input).flatMap((name) =>
    // Beside what is missing a guess would only lead astray.
    Object.hasOwn(fields, name)
      ? []
      : `it takes no ${name}${missing.length > 0 ? '' : didYouMean(name, Object.keys(fields))}`,
  );
  return [...missing, ...strange];
}
