import { join, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { layerOrder } from './authority.ts';
import { sourceLists } from './content.ts';
import { CONFIG_NAME, exists, findProject, homeFolder, managedPath } from './find.ts';
import { type LayerRead, readLayer } from './layer.ts';
import { merge } from './merge.ts';
import { hooksAlone } from './mergeHooks.ts';
import { realOf } from './paths.ts';
import { reporter } from './problem.ts';
import { flagRules } from './rules.ts';
import { compareTrust } from './trust.ts';
import { trustInputs } from './trustInputs.ts';
import { readTrusted, type TrustedProjects, trustFile } from './trustStore.ts';
import type { ConfigLayer, LayerName, LoadedConfig, LoadOptions, Problem } from './types.ts';

/**
 * Reads every configuration that applies in a folder, checks it, and merges it by authority. Starts nothing. Whatever a file holds,
 * this does not throw: all problems of all files come back, each with its place.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const cwd = resolve(options.cwd);
  const home = homeFolder(options.home, options.env);
  const problems: Problem[] = [];
  const { sources, looked } = findLayers(cwd, home, options);
  const strict = options.strict === true;
  const layers: ConfigLayer[] = [];
  const voices: { name: LayerName; content: LayerRead['content'] }[] = [];
  const parts: string[] = [];
  let pinned = typeof options.trustOnce === 'object' ? options.trustOnce : undefined;
  for (const { name, file } of sources) {
    const read = await readLayer(name, file, { cwd, strict, problems });
    parts.push(...partsOf(read));
    const trust = await judge(read, home, options, pinned, problems);
    if (name === 'project' && options.trustOnce === true) pinned = trust.inputs;
    const applied = trust.state === 'trusted' || trust.state === 'not-needed';
    if (applied) voices.push({ name, content: read.content });
    layers.push({
      name,
      file,
      root: read.root,
      kind: read.kind,
      trust: trust.state,
      changed: trust.changed,
      inputs: trust.inputs,
      applied,
      hooks: hooksAlone(name, read.content),
      mcpServers: read.content.mcpServers,
      rules: read.content.rules,
      files: read.files,
    });
  }
  const report = reporter(problems);
  const commandLine = flagRules(options.rules, report);
  const merged = merge(voices, commandLine, report);
  const files = layers.flatMap((layer) => [...layer.files, ...Object.keys(layer.inputs)]);
  return {
    options: { ...options, cwd, ...(pinned === undefined ? {} : { trustOnce: pinned }) },
    home,
    layers,
    merged,
    problems: inOrder(problems.filter((problem) => problem.severity !== 'notice')),
    notices: inOrder(problems.filter((problem) => problem.severity === 'notice')),
    watched: [...new Set([...looked, ...files, ...parts, trustFile(home)])],
  };
}

/** The files that make up the layers, strongest first, and every path whose appearance would matter. */
function findLayers(cwd: string, home: string, options: LoadOptions) {
  const person = join(home, CONFIG_NAME);
  const managed = resolve(options.managedFile ?? managedPath());
  const looked: string[] = [managed, person];
  const found: Partial<Record<LayerName, string>> = {};
  if (exists(managed)) found.managed = managed;
  if (exists(person)) found.person = person;
  if (options.configFile !== undefined) {
    found.flag = resolve(cwd, options.configFile);
    looked.push(found.flag);
  } else {
    const search = findProject(cwd, person);
    looked.push(...search.looked);
    // The person's own file, reached by another way, is not also a project's.
    const own = [person, managed].map(realOf);
    if (search.found !== undefined && !own.includes(realOf(search.found))) found.project = search.found;
  }
  const sources = layerOrder.flatMap((name) => {
    const file = found[name];
    return file === undefined ? [] : [{ name, file }];
  });
  return { sources, looked };
}

type Judgement = Pick<ConfigLayer, 'changed' | 'inputs'> & { readonly state: ConfigLayer['trust'] };

async function judge(
  layer: LayerRead,
  home: string,
  options: LoadOptions,
  pinned: Readonly<Record<string, string>> | undefined,
  problems: Problem[],
): Promise<Judgement> {
  if (layer.name !== 'project') return { state: 'not-needed', changed: [], inputs: {} };
  const report = reporter(problems, 'project');
  const inputs = await trustInputs(layer, options.moduleInputs);
  if (inputs === undefined) {
    const what = 'The project names more files than one trust can cover, and nothing of it applies';
    report.error('trust.too-many-inputs', { file: layer.file }, { what });
    return { state: 'untrusted', changed: [], inputs: {} };
  }
  if (options.trustOnce === true) return { state: 'trusted', changed: [], inputs };
  if (pinned !== undefined && Object.keys(inputs).every((path) => pinned[path] === inputs[path]))
    return { state: 'trusted', changed: [], inputs };
  const { state, changed } = compareTrust(layer.file, inputs, await trustedOrNone(home, problems));
  if (state === 'untrusted')
    report.warning(
      'trust.untrusted',
      { file: layer.file },
      {
        what: 'This project was never trusted, and nothing of its configuration applies',
      },
    );
  if (state === 'changed')
    report.warning(
      'trust.changed',
      { file: layer.file },
      {
        what: `This project changed since it was trusted, and nothing of its configuration applies: ${changed.slice(0, 5).join(', ')}`,
      },
    );
  return { state, changed, inputs };
}

/** A damaged list trusts nothing, and is said, not repaired. */
async function trustedOrNone(home: string, problems: Problem[]): Promise<TrustedProjects> {
  try {
    return await readTrusted(home);
  } catch (error) {
    if (!(error instanceof TrotlineError)) throw error;
    const { cause: _, ...detail } = error.detail;
    reporter(problems).error(error.code, { file: trustFile(home) }, detail);
    return {};
  }
}

/** File by file, each from top to bottom, as a person will go through them. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  const rank = (problem: Problem) => files.indexOf(problem.file);
  return [...problems].sort(
    (a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** What layers that need no trust name has no digests, but its change matters as well. */
function partsOf(read: LayerRead): string[] {
  const modules = read.content.hooks.flatMap((hook) =>
    hook.kind === 'builtin' && hook.module !== undefined ? [hook.module] : [],
  );
  return [...modules, ...sourceLists.flatMap((list) => read.content[list].map((entry) => entry.path))];
}
