import { t } from './shape.ts';
import type { Spelling, ToolDef, World } from './tools/define.ts';
import { tools } from './tools/table.ts';

export type { World as ToolWorld } from './tools/define.ts';
export { type ToolInputs, type ToolName, tools } from './tools/table.ts';

type Data = Readonly<Record<string, unknown>>;

/** A call under a world's name, or under the canonical one with a trace code. */
export interface Spelled {
  readonly tool: string;
  readonly input: Data;
  /** `engine.no-spelling`: the world cannot spell this call, and it is shown under its canonical name. */
  readonly code?: 'engine.no-spelling';
}

const noSpelling = 'engine.no-spelling' as const;
const table: Readonly<Record<string, ToolDef>> = tools;

const byName = new Map<World, Map<string, { readonly canonical: string; readonly spelling: Spelling }[]>>();
for (const [canonical, def] of Object.entries(table)) {
  for (const [world, spellings] of Object.entries(def.worlds) as [World, readonly Spelling[]][]) {
    const names = byName.get(world) ?? new Map();
    byName.set(world, names);
    for (const spelling of spellings) {
      for (const name of [spelling.tool, ...(spelling.aliases ?? [])]) {
        names.set(name, [...(names.get(name) ?? []), { canonical, spelling }]);
      }
    }
  }
}

const argOf = (args: Spelling['args'], key: string) => {
  const arg = Object.hasOwn(args, key) ? args[key] : undefined;
  return typeof arg === 'string' ? { as: arg } : arg;
};

/** `false` and absent are the same to a flag. */
const means = (value: unknown, wanted: unknown): boolean =>
  value === wanted || (wanted === false && value === undefined);

function spelledAs(spelling: Spelling, input: Data): Data | undefined {
  const result: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(spelling.given ?? {})) {
    if (!means(input[key], wanted)) return undefined;
  }
  for (const key of Object.keys(input)) {
    if (spelling.silent?.includes(key) || Object.hasOwn(spelling.given ?? {}, key)) continue;
    const arg = argOf(spelling.args, key);
    if (arg === undefined) return undefined;
    result[arg.as] = 'to' in arg && arg.to !== undefined ? arg.to(input[key]) : input[key];
  }
  return { ...spelling.fixed, ...result };
}

/**
 * Spells a canonical call the way a world does. A tool that is not in the table has one name everywhere. A call that the world
 * cannot spell whole keeps its canonical name and arguments: a guard is never shown half a call.
 */
export function spell(world: World, call: { readonly tool: string; readonly input: Data }): Spelled {
  const def = Object.hasOwn(table, call.tool) ? table[call.tool] : undefined;
  if (def === undefined) return { tool: call.tool, input: call.input };
  for (const spelling of def.worlds[world] ?? []) {
    const input = spelledAs(spelling, call.input);
    if (input !== undefined) return { tool: spelling.tool, input };
  }
  return { tool: call.tool, input: call.input, code: noSpelling };
}

function unspelledFrom(spelling: Spelling, input: Data, before: Data | undefined): Data | undefined {
  for (const [key, wanted] of Object.entries(spelling.fixed ?? {})) {
    if (!means(input[key], wanted)) return undefined;
  }
  const result: Record<string, unknown> = {};
  const back = new Map(
    Object.keys(spelling.args).map((key) => {
      const arg = argOf(spelling.args, key) as { as: string; from?: (value: unknown) => unknown };
      return [arg.as, { key, from: arg.from }];
    }),
  );
  for (const key of Object.keys(input)) {
    if (spelling.ignored?.includes(key) || Object.hasOwn(spelling.fixed ?? {}, key)) continue;
    const arg = back.get(key);
    if (arg === undefined) return undefined;
    result[arg.key] = arg.from === undefined ? input[key] : arg.from(input[key]);
  }
  for (const [key, value] of Object.entries(spelling.given ?? {})) if (value !== false) result[key] = value;
  for (const key of spelling.silent ?? []) {
    if (before !== undefined && Object.hasOwn(before, key)) result[key] = before[key];
  }
  return result;
}

/**
 * From a world's spelling to the canonical one. `before` is the canonical call that was spelled, where there is one: what its
 * spelling left out is put back. A call with arguments that have no canonical name keeps the world's, with a trace code.
 */
export function unspell(world: World, tool: string, input: Data, before?: Data): Spelled {
  const candidates = byName.get(world)?.get(tool) ?? [];
  for (const { canonical, spelling } of candidates) {
    const back = unspelledFrom(spelling, input, before);
    if (back !== undefined) return { tool: canonical, input: back };
  }
  return candidates.length === 0 ? { tool, input } : { tool, input, code: noSpelling };
}

const inputs = new Map(Object.entries(table).map(([name, { input }]) => [name, t.object(input)]));

/** Why arguments do not fit a tool of the table; undefined for other tools. */
export const tableMisfit = (tool: string, input: Data): string | undefined => inputs.get(tool)?.misfit(input, '');

/** All names of a tool, in all worlds: a matcher may use any of them at `tool.check`. */
export function namesOf(tool: string): readonly string[] {
  const def = Object.hasOwn(table, tool) ? table[tool] : undefined;
  const others = Object.values(def?.worlds ?? {}).flatMap((spellings) =>
    (spellings ?? []).flatMap((s) => [s.tool, ...(s.aliases ?? [])]),
  );
  return [...new Set([tool, ...(tool === 'Agent' ? ['Task'] : []), ...others])];
}

/** A name and the canonical name of the tool that some world calls so. */
export function canonicalNames(name: string): readonly string[] {
  const found = Object.keys(table).filter((tool) => namesOf(tool).includes(name));
  return [...new Set([name, ...found])];
}
