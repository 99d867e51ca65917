import { type LayerVoice, layerOrder, refuseSame } from './authority.ts';
import { type SourceList, sourceLists } from './content.ts';
import { shown } from './document.ts';
import { mergeHooks, timeoutsFor } from './mergeHooks.ts';
import { mergeRules } from './mergeRules.ts';
import { mergeSettings } from './mergeSettings.ts';
import type { Reporter } from './problem.ts';
import type { ManagedOptions, MergedConfig, Rule, SourceEntry } from './types.ts';

/**
 * Merges layers by authority. A stronger layer's hooks, rules and limits come out as they went in, whatever a weaker one says; every
 * refused loosening is reported at the place that tried.
 */
export function merge(layers: readonly LayerVoice[], commandLine: readonly Rule[], report: Reporter): MergedConfig {
  const voices = layerOrder.flatMap((name) => layers.filter((layer) => layer.name === name));
  const managed: ManagedOptions = {
    hooksMayOverrideDeny: false,
    managedHooksOnly: false,
    managedModsOnly: false,
    ...voices.find((voice) => voice.name === 'managed')?.content.managed,
  };
  const sources = (list: SourceList) => mergeSources(voices, list, managed, report);
  return {
    hooks: mergeHooks(voices, managed, report),
    timeouts: timeoutsFor('flag', voices),
    rules: mergeRules(voices, commandLine, report),
    ...mergeSettings(voices, report),
    ...(Object.fromEntries(sourceLists.map((list) => [list, sources(list)])) as Record<SourceList, SourceEntry[]>),
    managed,
  };
}

function mergeSources(
  voices: readonly LayerVoice[],
  list: SourceList,
  managed: ManagedOptions,
  report: Reporter,
): SourceEntry[] {
  const taken = new Map<string, SourceEntry>();
  const only = list === 'mods' ? managed.managedModsOnly : managed.managedHooksOnly;
  for (const { name: layer, content } of voices)
    for (const entry of content[list]) {
      const first = taken.get(entry.name);
      if (first !== undefined) refuseSame(entry, first, `entry of "${list}"`, report);
      else if (only && layer !== 'managed') {
        report.warning('config.managed-stays', entry.place, {
          what: `Only what the managed configuration names in "${list}" runs; "${shown(entry.name)}" does not`,
        });
        taken.set(entry.name, { ...entry, enabled: false });
      } else taken.set(entry.name, entry);
    }
  return [...taken.values()];
}
