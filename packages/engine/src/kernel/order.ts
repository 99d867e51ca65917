import type { Lane, Seated, Source, Tier } from './types.ts';

export const tiers: readonly Tier[] = ['prepend', 'user', 'append', 'builtin', 'core'];
const sources: readonly Source[] = ['program', 'person', 'project'];
const lanes: readonly Lane[] = ['in-process', 'mods', 'openclacky', 'process', 'settings'];

/** The total order of links, outermost first. No timing can change it. */
export function inOrder(a: Seated, b: Seated): number {
  const tier = tiers.indexOf(a.owner.tier) - tiers.indexOf(b.owner.tier);
  if (tier !== 0) return tier;
  const afterA = a.half === 'after';
  if (afterA !== (b.half === 'after')) return afterA ? 1 : -1;
  return afterA ? -within(a, b) : within(a, b);
}

function within(a: Seated, b: Seated): number {
  return (
    sources.indexOf(a.owner.source) - sources.indexOf(b.owner.source) ||
    lanes.indexOf(a.owner.lane) - lanes.indexOf(b.owner.lane) ||
    (a.priority ?? 0) - (b.priority ?? 0) ||
    (a.owner.name < b.owner.name ? -1 : a.owner.name > b.owner.name ? 1 : 0) ||
    a.sequence - b.sequence
  );
}
