import { type EventName, events, TrotlineError, tools } from '@trotline/engine';
import { didYouMean } from '../config/index.ts';

/** An event by its name. Throws `cli.unknown-event`, with the name that was probably meant. */
export function eventNamed(name: string): EventName {
  if (Object.hasOwn(events, name)) return name as EventName;
  throw new TrotlineError('cli.unknown-event', {
    what: `there is no event ${name}${didYouMean(name, Object.keys(events))}`,
  });
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
