// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('state.get', () => {
  expectTypeOf<EventMap['state.get']['e']>().branded.toEqualTypeOf<{ readonly plugin: string; readonly key: string; readonly id?: string | undefined }>();
  expectTypeOf<EventMap['state.get']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly value: unknown; readonly version: number } } | { readonly deny: string }>();
});
test('state.set', () => {
  expectTypeOf<EventMap['state.set']['e']>().branded.toEqualTypeOf<{ readonly plugin: string; readonly key: string; readonly id?: string | undefined; readonly value: unknown; readonly previous?: unknown; readonly ifVersion?: number | undefined }>();
  expectTypeOf<EventMap['state.set']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isSet: boolean; readonly version: number } } | { readonly deny: string }>();
});
