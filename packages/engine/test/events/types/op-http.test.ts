// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('http.fetch', () => {
  expectTypeOf<EventMap['http.fetch']['e']>().branded.toEqualTypeOf<{ readonly url: string; readonly init?: Readonly<Record<string, unknown>> | undefined }>();
  expectTypeOf<EventMap['http.fetch']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly status: number; readonly ok?: boolean | undefined; readonly headers?: Readonly<Record<string, string>> | undefined; readonly text: string } } | { readonly deny: string }>();
});
