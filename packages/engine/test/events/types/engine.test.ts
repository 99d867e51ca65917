// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('engine.create', () => {
  expectTypeOf<EventMap['engine.create']['e']>().branded.toEqualTypeOf<{ readonly plugins: readonly string[] }>();
  expectTypeOf<EventMap['engine.create']['result']>().branded.toEqualTypeOf<Readonly<Record<string, unknown>>>();
});
