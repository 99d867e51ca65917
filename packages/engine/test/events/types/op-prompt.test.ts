// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('prompt.read', () => {
  expectTypeOf<EventMap['prompt.read']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['prompt.read']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly text: string; readonly cursor: number } } | { readonly deny: string }>();
});
