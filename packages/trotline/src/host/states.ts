import { placeText } from '@trotline/engine';
import type { ConfigLayer, LoadedConfig, MergedHook } from '../config/index.ts';
import type { LineProblem, OwnerState } from './types.ts';

/** What the states are read off: a hook that stands on the line, or what stands in its place. */
export interface Standing {
  readonly hook: MergedHook;
  /** Why it could not start. */
  readonly problem?: LineProblem;
  /** How a process fares now. */
  health?(): { readonly health: 'ok' | 'failing' | 'down'; readonly problem?: string };
}

/** Every hook of every file, and how it stands at this moment. */
export function ownerStates(
  loaded: LoadedConfig,
  standing: ReadonlyMap<string, Standing>,
  noHooks: boolean,
): readonly OwnerState[] {
  return loaded.layers.flatMap((layer) =>
    layer.hooks.map((hook) => {
      const stands = standing.get(hook.name);
      const merged = loaded.merged.hooks.find((h) => h.name === hook.name && h.layer === hook.layer);
      return {
        name: hook.name,
        layer: layer.name,
        realm: realmOf(hook),
        place: placeText(hook.place),
        ...stateOf(layer, merged, stands?.hook.layer === hook.layer ? stands : undefined, noHooks),
      };
    }),
  );
}

function stateOf(
  layer: ConfigLayer,
  merged: MergedHook | undefined,
  stands: Standing | undefined,
  noHooks: boolean,
): Pick<OwnerState, 'state' | 'problem'> {
  if (!layer.applied) return { state: 'untrusted' };
  if (merged === undefined) return { state: 'refused' };
  if (noHooks || !merged.enabled) return { state: 'off' };
  if (stands === undefined) return { state: 'failed' };
  if (stands.problem !== undefined) return { state: 'failed', problem: stands.problem.message };
  const now = stands.health?.();
  if (now === undefined || now.health === 'ok') return { state: 'ready' };
  return { state: 'failed', ...(now.problem === undefined ? {} : { problem: now.problem }) };
}

function realmOf(hook: MergedHook): OwnerState['realm'] {
  if (hook.kind === 'process') return 'process';
  return hook.worker === true || hook.worker === 'own' ? 'worker' : 'inline';
}
