// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('config.set', () => {
  expectTypeOf<EventMap['config.set']['e']>().branded.toEqualTypeOf<{ readonly key: string; readonly value: boolean | string | number | readonly string[]; readonly previous?: unknown; readonly provider?: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } | undefined; readonly origin?: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } | undefined }>();
  expectTypeOf<EventMap['config.set']['result']>().branded.toEqualTypeOf<{ readonly value: boolean | string | number | readonly string[] } | { readonly deny: string }>();
});
test('config.describe', () => {
  expectTypeOf<EventMap['config.describe']['e']>().branded.toEqualTypeOf<{ readonly key: string; readonly label: string; readonly description?: string | undefined; readonly isHidden: boolean; readonly provider: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } }>();
  expectTypeOf<EventMap['config.describe']['result']>().branded.toEqualTypeOf<{ readonly label: string; readonly description?: string | undefined; readonly isHidden: boolean }>();
});
