// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('telemetry.log', () => {
  expectTypeOf<EventMap['telemetry.log']['e']>().branded.toEqualTypeOf<{ readonly to: 'anthropic' | 'collector'; readonly event: string; readonly props?: unknown; readonly attributes?: unknown; readonly loggedAt?: unknown; readonly span?: unknown }>();
  expectTypeOf<EventMap['telemetry.log']['result']>().branded.toEqualTypeOf<{ readonly value: undefined } | { readonly deny: string }>();
});
test('telemetry.mark', () => {
  expectTypeOf<EventMap['telemetry.mark']['e']>().branded.toEqualTypeOf<{ readonly to: 'anthropic' | 'collector'; readonly feature: string; readonly kind: 'ok' | 'sad' | 'bad'; readonly reason?: string | undefined; readonly props?: unknown }>();
  expectTypeOf<EventMap['telemetry.mark']['result']>().branded.toEqualTypeOf<{ readonly value: undefined } | { readonly deny: string }>();
});
