// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('tool.list', () => {
  expectTypeOf<EventMap['tool.list']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['tool.list']['result']>().branded.toEqualTypeOf<{ readonly value: readonly (Readonly<Record<string, unknown>>)[] } | { readonly deny: string }>();
});
test('tool.register', () => {
  expectTypeOf<EventMap['tool.register']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly description: string; readonly inputSchema: Readonly<Record<string, unknown>>; readonly isDeferred?: boolean | undefined }>();
  expectTypeOf<EventMap['tool.register']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
