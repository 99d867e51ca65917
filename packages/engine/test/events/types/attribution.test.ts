// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('attribution.text', () => {
  expectTypeOf<EventMap['attribution.text']['e']>().branded.toEqualTypeOf<{ readonly kind: 'commit' | 'pr' | 'exemption' | 'remedy'; readonly text: string }>();
  expectTypeOf<EventMap['attribution.text']['result']>().branded.toEqualTypeOf<{ readonly text: string }>();
});
