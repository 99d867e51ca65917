import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LinkSpec, Owner } from '../../src/kernel/index.ts';
import { owner, passing, rig } from './rig.ts';

/** The names of the links, outermost first, however they were registered. */
async function order(specs: readonly (Partial<LinkSpec> & { name: string })[]): Promise<string[]> {
  const line = rig();
  const seen: string[] = [];
  for (const spec of specs)
    line.on(
      passing(() => seen.push(spec.name)),
      spec,
    );
  await line.run();
  return seen;
}
const by = (name: string, more: Partial<Owner> = {}, spec: Partial<LinkSpec> = {}) => ({
  ...spec,
  name,
  owner: owner(name, more),
});

test('tiers come first, whoever registered when', async () => {
  const tiers = ['core', 'append', 'prepend', 'builtin', 'user'] as const;
  expect(await order(tiers.map((tier) => by(tier, { tier })))).toEqual([
    'prepend',
    'user',
    'append',
    'builtin',
    'core',
  ]);
});

test('then the source, then the lane, then the priority, then the owner, then who registered first', async () => {
  expect(
    await order([
      by('project', { source: 'project' }),
      by('settings', { lane: 'settings' }),
      by('process-late', { lane: 'process' }, { priority: 10 }),
      by('process-early', { lane: 'process' }, { priority: -1 }),
      by('openclacky', { lane: 'openclacky' }),
      by('mods-b', { lane: 'mods' }),
      by('mods-a', { lane: 'mods' }),
      by('person', { source: 'person' }),
      by('program'),
    ]),
  ).toEqual([
    'program',
    'mods-a',
    'mods-b',
    'openclacky',
    'process-early',
    'process-late',
    'settings',
    'person',
    'project',
  ]);
  const one = owner('one');
  expect(
    await order([
      { name: 'first', owner: one },
      { name: 'second', owner: one },
    ]),
  ).toEqual(['first', 'second']);
});

test('an owner stands outside those it depends on, also by way of one that has no hook here', async () => {
  expect(
    await order([
      by('a', { dependsOn: [] }),
      by('z', { dependsOn: ['m'] }),
      { ...by('m', { dependsOn: ['a'] }), pattern: 'other.event' },
    ]),
  ).toEqual(['z', 'a']);
});

test('owners say their place where dependencies leave it open, and the rest go by name', async () => {
  expect(await order([by('b', { order: 2 }), by('a', { order: 3 }), by('d'), by('c')])).toEqual(['c', 'd', 'b', 'a']);
});

test('a circle of dependencies is refused, and the way round is listed', () => {
  const line = rig();
  line.on((e, next) => next(e), { owner: owner('a', { dependsOn: ['b'] }) });
  line.on((e, next) => next(e), { owner: owner('b', { dependsOn: ['c'] }) });
  const last = () => line.on((e, next) => next(e), { owner: owner('c', { dependsOn: ['a'] }) });
  expect(last).toThrow(expect.objectContaining({ code: 'kernel.cycle' }));
  expect(last).toThrow('c -> a -> b -> c');
  expect(() => line.on((e, next) => next(e), { owner: owner('me', { dependsOn: ['me'] }) })).toThrow('me -> me');
});

test('no order of registration changes the order of the links', async () => {
  const tier = fc.constantFrom('prepend', 'user', 'append', 'builtin', 'core' as const);
  const source = fc.constantFrom('program', 'person', 'project' as const);
  const lane = fc.constantFrom('in-process', 'mods', 'openclacky', 'process', 'settings' as const);
  const link = fc.record({
    tier,
    source,
    lane,
    priority: fc.integer({ min: -2, max: 2 }),
    needs: fc.nat(20),
    order: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(link, { maxLength: 12 }), fc.infiniteStream(fc.nat()), async (links, dice) => {
      const specs = links.map((one, i) => {
        const { tier, source, lane, priority, needs, order } = one;
        // Only on later names, so that there is no circle.
        const dependsOn = needs > i ? [`mod${needs}`] : [];
        return by(`mod${i}`, { tier, source, lane, dependsOn, order } as Partial<Owner>, { priority });
      });
      const shuffled = specs.map((spec) => ({ spec, at: dice.next().value })).sort((a, b) => a.at - b.at);
      expect(await order(shuffled.map(({ spec }) => spec))).toEqual(await order(specs));
    }),
    { numRuns: 100 },
  );
});
