// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('audio.play', () => {
  expectTypeOf<EventMap['audio.play']['e']>().branded.toEqualTypeOf<{ readonly clip: unknown; readonly shouldLoop?: boolean | undefined; readonly gain?: number | undefined }>();
  expectTypeOf<EventMap['audio.play']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('audio.speak', () => {
  expectTypeOf<EventMap['audio.speak']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly voice?: string | undefined }>();
  expectTypeOf<EventMap['audio.speak']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
