// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('settings.read', () => {
  expectTypeOf<EventMap['settings.read']['e']>().branded.toEqualTypeOf<{ readonly source?: 'user' | 'project' | 'local' | 'flag' | 'policy' | undefined }>();
  expectTypeOf<EventMap['settings.read']['result']>().branded.toEqualTypeOf<{ readonly value: Readonly<Record<string, unknown>> } | { readonly deny: string }>();
});
