import { KernelError } from './failure.ts';
import type { Lane, Owner, Seated, Source, Tier } from './types.ts';

/** Tiers, outermost first. */
export const tiers: readonly Tier[] = ['prepend', 'user', 'append', 'builtin', 'core'];
const sources: readonly Source[] = ['program', 'person', 'project'];
const lanes: readonly Lane[] = ['in-process', 'mods', 'openclacky', 'process', 'settings'];

const lowest = (a: Owner, b: Owner): number =>
  (a.order ?? 0) - (b.order ?? 0) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * Sorts links outermost first by (tier, source, lane, priority, owner, sequence). No timing can change it.
 *
 * The way back meets links in reverse. A dialect that promises the same order both ways seats two links per hook: the
 * before half at its place, the after half at the inner end of its tier, in reverse, so that on the way back they run in
 * the promised order.
 */
export function inOrder(links: readonly Seated[]): Seated[] {
  const rank = rankOwners(links.map((link) => link.owner));
  const within = (a: Seated, b: Seated): number =>
    sources.indexOf(a.owner.source) - sources.indexOf(b.owner.source) ||
    lanes.indexOf(a.owner.lane) - lanes.indexOf(b.owner.lane) ||
    (a.priority ?? 0) - (b.priority ?? 0) ||
    (rank.get(place(a.owner)) ?? 0) - (rank.get(place(b.owner)) ?? 0) ||
    a.sequence - b.sequence;
  return [...links].sort((a, b) => {
    const after = Number(a.half === 'after');
    return (
      tiers.indexOf(a.owner.tier) - tiers.indexOf(b.owner.tier) ||
      after - Number(b.half === 'after') ||
      (after === 1 ? within(b, a) : within(a, b))
    );
  });
}

const place = (owner: Owner): string => `${owner.tier} ${owner.source} ${owner.lane} ${owner.name}`;

/** Each owner's place among those of its lane: outside those it depends on, else by `order`, else by name. */
function rankOwners(owners: readonly Owner[]): Map<string, number> {
  const known = new Map(owners.map((owner) => [place(owner), owner] as const));
  const inner = (owner: Owner): string[] => [...new Set(owner.dependsOn)].map((name) => place({ ...owner, name }));
  // How many owners must still be seated before this one.
  const blocked = new Map<string, number>();
  for (const owner of known.values()) {
    for (const name of inner(owner)) blocked.set(name, (blocked.get(name) ?? 0) + 1);
  }
  const left = [...known.values()].sort(lowest);
  const rank = new Map<string, number>();
  while (left.length > 0) {
    // `checkCycle` keeps circles out, so one is always free; were none, the first by name goes.
    const at = left.findIndex((owner) => (blocked.get(place(owner)) ?? 0) === 0);
    const [owner] = left.splice(Math.max(at, 0), 1) as [Owner];
    rank.set(place(owner), rank.size);
    for (const name of inner(owner)) blocked.set(name, (blocked.get(name) ?? 0) - 1);
  }
  return rank;
}

/** Refuses an owner that comes to depend on itself, and lists the way round. */
export function checkCycle(owner: Owner, known: Iterable<Owner>): void {
  const needs = new Map<string, readonly string[]>();
  for (const other of known) needs.set(other.name, other.dependsOn ?? []);
  needs.set(owner.name, owner.dependsOn ?? []);
  const seen = new Set<string>();
  const walk = (name: string, way: readonly string[]): void => {
    const here = [...way, name];
    if (way[0] === name) {
      throw new KernelError(
        'cycle',
        `${here.join(' -> ')} depend on each other in a circle, and no order of them is right`,
      );
    }
    if (seen.has(name)) return;
    seen.add(name);
    for (const inner of needs.get(name) ?? []) walk(inner, here);
  };
  walk(owner.name, []);
}
