// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('store.get', () => {
  expectTypeOf<EventMap['store.get']['e']>().branded.toEqualTypeOf<{ readonly key: string }>();
  expectTypeOf<EventMap['store.get']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('store.set', () => {
  expectTypeOf<EventMap['store.set']['e']>().branded.toEqualTypeOf<{ readonly key: string; readonly value: unknown }>();
  expectTypeOf<EventMap['store.set']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('store.delete', () => {
  expectTypeOf<EventMap['store.delete']['e']>().branded.toEqualTypeOf<{ readonly key: string }>();
  expectTypeOf<EventMap['store.delete']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('store.keys', () => {
  expectTypeOf<EventMap['store.keys']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['store.keys']['result']>().branded.toEqualTypeOf<{ readonly value: readonly string[] } | { readonly deny: string }>();
});
