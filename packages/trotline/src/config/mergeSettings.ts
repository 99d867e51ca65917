import { type LayerVoice, refuseSame } from './authority.ts';
import type { LayerContent, Placed } from './content.ts';
import type { Reporter } from './problem.ts';
import type { AgentConfig, LayerName, McpServerEntry, MergedConfig, ModelConfig } from './types.ts';

/** How long an approval stays open where no file says so: until after a weekend and a holiday. */
const defaultExpireMs = 7 * 24 * 60 * 60 * 1000;

type PlacedKey = {
  [K in keyof LayerContent]-?: NonNullable<LayerContent[K]> extends Placed<unknown> ? K : never;
}[keyof LayerContent];
type ValueOf<K extends PlacedKey> = NonNullable<LayerContent[K]> extends Placed<infer T> ? T : never;

/** Merges everything that is one value and not a list of things. */
export function mergeSettings(
  voices: readonly LayerVoice[],
  report: Reporter,
): Pick<MergedConfig, 'approvals' | 'records' | 'agent' | 'model'> {
  const settle = <K extends PlacedKey>(
    key: K,
    start: ValueOf<K> | undefined,
    tighter: (old: ValueOf<K> | undefined, value: ValueOf<K>) => boolean,
  ) => settleValue(voices, report, key, start, tighter);
  const less = (old: number | undefined, value: number) => old === undefined || value < old;
  const expire = settle('expireMs', defaultExpireMs, less) ?? defaultExpireMs;
  const answered = settle('answered', 'pass', (_, value) => value === 'check') ?? 'pass';
  const model = mergeModel(voices, report);
  const recordsDir = settle('recordsDir', undefined, (old) => old === undefined);
  return {
    approvals: { answered, expireMs: expire },
    records: recordsDir === undefined ? {} : { dir: recordsDir },
    agent: mergeAgent(voices, {
      maxIterations: settle('maxIterations', undefined, less),
      // No length is safer than another, so that the strongest layer that names one decides.
      compactAtTokens: settle('compactAtTokens', undefined, (old) => old === undefined),
      parallelTools: settle('parallelTools', false, (_, value) => !value) ?? false,
      tools: mergeTools(voices, report),
      mcpServers: mergeMcpServers(voices, report),
    }),
    ...(model === undefined ? {} : { model }),
  };
}

/**
 * One value over all layers. The file of `--config` and the person's own have the same authority, so the former simply wins; below
 * the managed file and below the person's, only what tightens counts, and the rest is reported.
 */
function settleValue<K extends PlacedKey>(
  voices: readonly LayerVoice[],
  report: Reporter,
  key: K,
  start: ValueOf<K> | undefined,
  tighter: (old: ValueOf<K> | undefined, value: ValueOf<K>) => boolean,
): ValueOf<K> | undefined {
  const said = (name: LayerName): Placed<ValueOf<K>> | undefined =>
    voices.find((voice) => voice.name === name)?.content[key] as Placed<ValueOf<K>> | undefined;
  const managed = said('managed');
  const person = said('flag') ?? said('person');
  const project = said('project');
  let value = managed?.value ?? start;
  if (person !== undefined) {
    if (managed === undefined || tighter(value, person.value)) value = person.value;
    else if (!same(managed.value, person.value))
      refuse('config.managed-stays', person, report, 'The managed configuration decides this');
  }
  if (project !== undefined) {
    if (tighter(value, project.value)) value = project.value;
    else if (!same(value, project.value))
      refuse('config.project-cannot-loosen', project, report, 'A project cannot set this looser than it is');
  }
  return value;
}

function refuse(
  code: 'config.managed-stays' | 'config.project-cannot-loosen',
  by: Placed<unknown>,
  report: Reporter,
  what: string,
): void {
  report.warning(code, by.place, { what });
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function mergeModel(voices: readonly LayerVoice[], report: Reporter): ModelConfig | undefined {
  const models = voices.flatMap(({ content }) => (content.model === undefined ? [] : [content.model]));
  const [first, ...others] = models;
  for (const other of others) {
    if (first === undefined || other.name === first.name) continue;
    const what = `The model "${first.name}" is set already`;
    if (other.layer === 'project')
      refuse('config.project-cannot-loosen', { value: other, place: other.place }, report, what);
    else if (first.layer === 'managed')
      refuse('config.managed-stays', { value: other, place: other.place }, report, what);
  }
  return first;
}

/** The tools that every layer with a list allows. */
function mergeTools(voices: readonly LayerVoice[], report: Reporter): readonly string[] | undefined {
  const said = (name: LayerName) => voices.find((voice) => voice.name === name)?.content.tools;
  let tools = said('managed')?.value;
  for (const next of [said('flag') ?? said('person'), said('project')]) {
    if (next === undefined) continue;
    const outside = tools === undefined ? [] : next.value.filter((tool) => tools?.includes(tool) === false);
    if (outside.length > 0) {
      const code = next === said('project') ? 'config.project-cannot-loosen' : 'config.managed-stays';
      refuse(
        code,
        next,
        report,
        `Tools that are not on the list above cannot be added: ${outside.slice(0, 10).join(', ')}`,
      );
    }
    const above = tools;
    tools = above === undefined ? next.value : next.value.filter((tool) => above.includes(tool));
  }
  return tools;
}

/** A project may add servers; one of yours, or of whoever manages the machine, it cannot replace. */
function mergeMcpServers(voices: readonly LayerVoice[], report: Reporter): readonly McpServerEntry[] {
  const taken = new Map<string, McpServerEntry>();
  for (const entry of voices.flatMap(({ content }) => content.mcpServers)) {
    const first = taken.get(entry.name);
    if (first === undefined) taken.set(entry.name, entry);
    else refuseSame(entry, first, 'MCP server', report);
  }
  return [...taken.values()];
}

type Settled = { readonly [K in keyof Omit<AgentConfig, 'system'>]: AgentConfig[K] | undefined };

function mergeAgent(
  voices: readonly LayerVoice[],
  { parallelTools, mcpServers, ...settled }: Settled & Pick<AgentConfig, 'parallelTools' | 'mcpServers'>,
): AgentConfig {
  const given = Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== undefined));
  const system = voices.flatMap((voice) => voice.content.system);
  return { ...given, parallelTools, mcpServers, system };
}
