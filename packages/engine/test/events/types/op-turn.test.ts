// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('turn.abort', () => {
  expectTypeOf<EventMap['turn.abort']['e']>().branded.toEqualTypeOf<{ readonly turnId: string }>();
  expectTypeOf<EventMap['turn.abort']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
