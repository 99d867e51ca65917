// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('plugin.register', () => {
  expectTypeOf<EventMap['plugin.register']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core'; readonly root: string; readonly version?: string | undefined; readonly provenance: unknown; readonly uses: unknown }>();
  expectTypeOf<EventMap['plugin.register']['result']>().branded.toEqualTypeOf<{ readonly allow: true } | { readonly refuse: string }>();
});
