import type { Place } from '@trotline/engine';
import { type LayerVoice, refuseSame } from './authority.ts';
import type { HookEntry, LayerContent } from './content.ts';
import type { Reporter } from './problem.ts';
import type { HookTimeouts, LayerName, ManagedOptions, MergedHook } from './types.ts';

/** Times where no file says otherwise: PicoClaw's, and a limit where it has none. */
export const builtInTimeouts: HookTimeouts = {
  observerMs: 500,
  interceptorMs: 5000,
  approvalMs: 60_000,
  handshakeMs: 30_000,
};

/** The hooks of all layers. Of two with one name the stronger layer's stays. */
export function mergeHooks(voices: readonly LayerVoice[], managed: ManagedOptions, report: Reporter): MergedHook[] {
  const taken = new Map<string, MergedHook>();
  for (const voice of voices) {
    const defaults = timeoutsFor(voice.name, voices);
    const off = switchedOff(voice.name, voices, managed);
    for (const entry of [...voice.content.hooks].sort(inOrder)) {
      const first = taken.get(entry.name);
      if (first === undefined) taken.set(entry.name, settle(entry, defaults, off));
      else refuseSame(entry, first, 'hook', report);
    }
  }
  return [...taken.values()];
}

/** A layer's hooks as they would be if nothing stood above it; for showing a project that is not trusted yet. */
export function hooksAlone(name: LayerName, content: LayerContent): MergedHook[] {
  const voice = { name, content };
  const off = content.hooksEnabled?.value === false ? { layer: name, place: content.hooksEnabled.place } : undefined;
  return [...content.hooks].sort(inOrder).map((entry) => settle(entry, timeoutsFor(name, [voice]), off));
}

const inOrder = (a: HookEntry, b: HookEntry): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === 'builtin' ? -1 : 1;

type Off = { readonly layer: LayerName; readonly place: Place } | undefined;

function settle(entry: HookEntry, defaults: HookTimeouts, off: Off): MergedHook {
  const { own, ...hook } = entry;
  const timeouts: HookTimeouts = {
    observerMs: own.callMs ?? defaults.observerMs,
    interceptorMs: own.callMs ?? defaults.interceptorMs,
    approvalMs: own.approvalMs ?? defaults.approvalMs,
    handshakeMs: defaults.handshakeMs,
  };
  return off !== undefined && hook.enabled
    ? { ...hook, enabled: false, disabledBy: off, timeouts }
    : { ...hook, timeouts };
}

/**
 * Default times for the hooks of one layer: the managed ones, its own, then those of layers with authority over it. A weaker layer
 * has no say, since a guard that is given too little time is a guard that is skipped.
 */
export function timeoutsFor(layer: LayerName, voices: readonly LayerVoice[]): HookTimeouts {
  const order = {
    managed: [],
    flag: ['flag', 'person'],
    person: ['person', 'flag'],
    project: ['project', 'flag', 'person'],
  };
  const names: readonly string[] = ['managed', ...order[layer]];
  const defaults = names
    .flatMap((name) => voices.filter((voice) => voice.name === name))
    .map((v) => v.content.defaults);
  return Object.assign({}, builtInTimeouts, ...defaults.reverse());
}

/** Who, with authority over this layer, switched its hooks off. */
function switchedOff(layer: LayerName, voices: readonly LayerVoice[], managed: ManagedOptions): Off {
  const said = (name: LayerName) => voices.find((voice) => voice.name === name)?.content.hooksEnabled;
  const top = said('managed');
  if (top?.value === false) return { layer: 'managed', place: top.place };
  if (layer === 'managed') return undefined;
  if (managed.managedHooksOnly) return { layer: 'managed', place: {} };
  // The file of --config speaks with the person's authority and more specifically.
  const flag = said('flag');
  const person = flag ?? said('person');
  if (person?.value === false) return { layer: flag === undefined ? 'person' : 'flag', place: person.place };
  const project = said('project');
  if (layer === 'project' && project?.value === false) return { layer: 'project', place: project.place };
  return undefined;
}
