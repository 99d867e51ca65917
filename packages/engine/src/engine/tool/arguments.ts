type Data = Readonly<Record<string, unknown>>;

/** Names that say which call it is. An argument of the same name cannot stand beside them. */
const reserved = ['tool', 'tool_use_id', 'agentId'] as const;
const isReserved = new Set<string>(reserved);

/** A call as `tool.call` shows it: its arguments beside `tool`, without those whose names say which call it is. */
export interface Flat {
  readonly e: Data;
  /** Arguments that cannot be shown flat; the bottom puts them back. Undefined where there are none. */
  readonly aside: Data | undefined;
}

export function flatten(tool: string, id: string, agentId: string | undefined, input: Data): Flat {
  let aside: Record<string, unknown> | undefined;
  const e: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    if (isReserved.has(key)) {
      aside ??= {};
      aside[key] = input[key];
    } else if (key !== '__proto__') e[key] = input[key];
  }
  e['tool'] = tool;
  e['tool_use_id'] = id;
  if (agentId !== undefined) e['agentId'] = agentId;
  return { e, aside };
}

/** The arguments of a flat call, those that were put aside among them. */
export function unflatten(e: Data, aside: Data | undefined): Data {
  const input: Record<string, unknown> = {};
  for (const key of Object.keys(e)) if (!isReserved.has(key)) input[key] = e[key];
  return aside === undefined ? input : { ...input, ...aside };
}
