// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('clock.now', () => {
  expectTypeOf<EventMap['clock.now']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['clock.now']['result']>().branded.toEqualTypeOf<{ readonly value: number } | { readonly deny: string }>();
});
test('clock.sleep', () => {
  expectTypeOf<EventMap['clock.sleep']['e']>().branded.toEqualTypeOf<{ readonly ms: number }>();
  expectTypeOf<EventMap['clock.sleep']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('clock.after', () => {
  expectTypeOf<EventMap['clock.after']['e']>().branded.toEqualTypeOf<{ readonly ms: number }>();
  expectTypeOf<EventMap['clock.after']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('clock.every', () => {
  expectTypeOf<EventMap['clock.every']['e']>().branded.toEqualTypeOf<{ readonly ms: number }>();
  expectTypeOf<EventMap['clock.every']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
