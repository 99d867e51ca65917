// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('env.get', () => {
  expectTypeOf<EventMap['env.get']['e']>().branded.toEqualTypeOf<{ readonly name: string }>();
  expectTypeOf<EventMap['env.get']['result']>().branded.toEqualTypeOf<{ readonly value: string | undefined } | { readonly deny: string }>();
});
test('env.set', () => {
  expectTypeOf<EventMap['env.set']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly value?: string | undefined }>();
  expectTypeOf<EventMap['env.set']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
