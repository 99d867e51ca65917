import { basename, resolve } from 'node:path';
import type { Place } from '@trotline/engine';
import { type LayerContent, type Placed, type ReadContext, type SourceList, sourceLists } from './content.ts';
import { shown } from './document.ts';
import { onErrorOf, readTime } from './hooks.ts';
import { readMcpServers } from './mcpServers.ts';
import { checkPath } from './paths.ts';
import type { ConfigFile } from './schema.ts';
import type { ManagedOptions, ModelConfig, SourceEntry } from './types.ts';

/** Reads every key but `extends`, `hooks` and `policy`. */
export function readSettings(context: ReadContext, file: ConfigFile): Partial<LayerContent> {
  const { document } = context;
  const placed = <H extends object, K extends keyof H>(holder: H, key: K): Placed<NonNullable<H[K]>> | undefined => {
    const value = holder[key];
    if (value === undefined || value === null) return undefined;
    return { value, place: document.place(holder, String(key)) };
  };
  const approvals: NonNullable<ConfigFile['approvals']> = file.approvals ?? {};
  const records: NonNullable<ConfigFile['records']> = file.records ?? {};
  const agent: NonNullable<ConfigFile['agent']> = file.agent ?? {};
  const model = readModel(context, file);
  return present({
    ...(model === undefined ? {} : { model }),
    answered: placed(approvals, 'answered'),
    expireMs: placed(approvals, 'expire_ms'),
    recordsDir: readRecordsDir(context, placed(records, 'dir')),
    maxIterations: placed(agent, 'max_iterations'),
    compactAtTokens: placed(agent, 'compact_at_tokens'),
    parallelTools: placed(agent, 'parallel_tools'),
    tools: placed(agent, 'tools'),
    system: agent.system === undefined ? [] : [agent.system],
    mcpServers: readMcpServers(context, agent.mcp_servers),
    managed: readManaged(context, file),
    ...Object.fromEntries(sourceLists.map((list) => [list, readSources(context, file, list)])),
  });
}

/** Absent keys instead of undefined ones, so that spreading one content over another keeps what only the other has. */
function present<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function readRecordsDir(context: ReadContext, dir: Placed<string> | undefined): Placed<string> | undefined {
  if (dir === undefined) return undefined;
  const path = resolve(context.folder, dir.value);
  // The folder is made when it is needed, so that only leaving the project is a fault.
  const inside =
    context.root === undefined ||
    checkPath({ ...context, report: onlyLeaving(context) }, path, dir.place, recordsCheck);
  return inside ? { value: path, place: dir.place } : undefined;
}

const recordsCheck = { kind: 'folder', enabled: true, noun: 'The folder of the records' } as const;

function onlyLeaving(context: ReadContext): ReadContext['report'] {
  return {
    ...context.report,
    error: (code, place, finding) => {
      if (code !== 'config.missing-file') context.report.error(code, place, finding);
    },
  };
}

function readModel(context: ReadContext, file: ConfigFile): ModelConfig | undefined {
  if (file.model === undefined) return undefined;
  const { document, layer, report } = context;
  const place = document.place(file, 'model');
  const given = typeof file.model === 'string' ? { name: file.model } : file.model;
  const at = (key: string): Place => (typeof file.model === 'string' ? place : document.place(given, key));
  if (!/^(script:.+|[^/\s:]+\/\S+)$/s.test(given.name))
    report.error('config.wrong-value', at('name'), {
      what: `"${shown(given.name)}" is not the name of a model`,
      expected: 'provider/model, such as "anthropic/claude-sonnet-4-5", or script:FILE',
    });
  if (context.root !== undefined) {
    for (const key of ['base_url', 'api_key_env', 'options'] as const)
      if (given[key] !== undefined)
        report.warning('config.project-cannot-loosen', at(key), {
          what: `A project cannot set "${key}" of the model: it could send your key or your conversation elsewhere`,
        });
  } else {
    checkProvider(context, given, at);
    checkOptions(context, given.options);
  }
  const trusted = context.root === undefined;
  return present({
    name: given.name,
    baseUrl: trusted ? given.base_url : undefined,
    apiKeyEnv: trusted ? given.api_key_env : undefined,
    maxOutputTokens: given.max_output_tokens,
    temperature: given.temperature,
    options: trusted ? given.options : undefined,
    layer,
    place,
  }) as ModelConfig;
}

/** Keys of a request that are not options: hooks decide on these, or they have a key of their own. */
const notOptions: Readonly<Record<string, string>> = {
  model: 'Name the model with "name".',
  messages: 'What is said goes down the line, past every hook.',
  system: 'Add to the system prompt with "agent.system".',
  tools: 'Name the tools with "agent.tools" and "agent.mcp_servers".',
  stream: 'Answers are always streamed.',
  max_tokens: 'Write "max_output_tokens".',
  temperature: 'Write "temperature" beside "options".',
};

function checkOptions({ document, report }: ReadContext, options: Readonly<Record<string, unknown>> = {}): void {
  for (const key of Object.keys(options)) {
    const remedy = Object.hasOwn(notOptions, key) ? notOptions[key] : undefined;
    if (remedy === undefined) continue;
    const what = `"${key}" cannot be set among the options of the model`;
    report.error('config.wrong-value', document.place(options, key, 'key'), { what, remedy });
  }
}

function checkProvider(
  context: ReadContext,
  given: { base_url?: string | undefined; api_key_env?: string | undefined },
  at: (key: string) => Place,
): void {
  if (given.api_key_env !== undefined && !/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(given.api_key_env))
    // The value may be the key itself, so it is not shown.
    context.report.error('config.wrong-value', at('api_key_env'), {
      what: '"api_key_env" is not the name of an environment variable',
      expected: 'a name such as "ANTHROPIC_API_KEY"',
      remedy:
        'Put the key into an environment variable and write its name here. Never write the key itself into a file.',
    });
  if (given.base_url === undefined) return;
  const url = URL.canParse(given.base_url) ? new URL(given.base_url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    context.report.error('config.wrong-value', at('base_url'), {
      what: '"base_url" is not the address of a provider',
      expected: 'an http or https address without a name and password in it',
    });
}

function readManaged(context: ReadContext, file: ConfigFile): Partial<ManagedOptions> {
  if (file.managed === undefined) return {};
  if (context.layer !== 'managed') {
    const place = context.document.place(file, 'managed', 'key');
    context.report.error('config.managed-only', place, { what: 'The key "managed" counts only in the managed file' });
    return {};
  }
  const { hooks_may_override_deny, managed_hooks_only, managed_mods_only } = file.managed;
  return present({
    hooksMayOverrideDeny: hooks_may_override_deny,
    managedHooksOnly: managed_hooks_only,
    managedModsOnly: managed_mods_only,
  });
}

function readSources(context: ReadContext, file: ConfigFile, list: SourceList): SourceEntry[] {
  const { document, report, layer, folder } = context;
  const entries = file[list] ?? [];
  const taken = new Set<string>();
  return entries.flatMap((entry, index): SourceEntry[] => {
    const place = document.place(entries, index);
    const given = typeof entry === 'string' ? { path: entry } : entry;
    const path = resolve(folder, given.path);
    const name = given.name ?? basename(path);
    const enabled = given.enabled ?? true;
    if (taken.has(name)) {
      report.error('config.duplicate-name', place, {
        what: `Two entries of "${list}" are named "${shown(name)}"`,
        remedy: 'Remove one of the two, or give it a "name".',
      });
      return [];
    }
    taken.add(name);
    if (!checkPath(context, path, place, { kind: 'any', enabled, noun: `"${shown(name)}" of "${list}"` })) return [];
    const timeoutMs = typeof entry === 'string' ? undefined : readTime(context, entry, 'timeout_ms');
    return [
      {
        name,
        path,
        enabled,
        ...(given.worker === undefined ? {} : { worker: given.worker }),
        ...onErrorOf(given.on_error),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(given.options === undefined ? {} : { options: given.options }),
        layer,
        place,
      },
    ];
  });
}
