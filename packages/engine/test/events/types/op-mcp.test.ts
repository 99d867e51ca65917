// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('mcp.call', () => {
  expectTypeOf<EventMap['mcp.call']['e']>().branded.toEqualTypeOf<{ readonly server: string; readonly tool: string; readonly args?: unknown }>();
  expectTypeOf<EventMap['mcp.call']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly content: readonly unknown[]; readonly isError?: boolean | undefined; readonly structuredContent?: unknown } } | { readonly deny: string }>();
});
test('mcp.connect', () => {
  expectTypeOf<EventMap['mcp.connect']['e']>().branded.toEqualTypeOf<{ readonly server: string }>();
  expectTypeOf<EventMap['mcp.connect']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isConnected: boolean; readonly server?: string | undefined; readonly reason?: string | undefined; readonly message?: string | undefined } } | { readonly deny: string }>();
});
