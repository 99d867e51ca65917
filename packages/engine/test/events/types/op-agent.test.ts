// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('agent.list', () => {
  expectTypeOf<EventMap['agent.list']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['agent.list']['result']>().branded.toEqualTypeOf<{ readonly value: readonly (Readonly<Record<string, unknown>>)[] } | { readonly deny: string }>();
});
test('agent.register', () => {
  expectTypeOf<EventMap['agent.register']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly description: string; readonly prompt: string; readonly tools?: readonly string[] | undefined; readonly disallowedTools?: readonly string[] | undefined; readonly model?: string | undefined; readonly effort?: unknown; readonly permissionMode?: string | undefined; readonly mcpServers?: unknown; readonly hooks?: unknown; readonly maxTurns?: number | undefined; readonly skills?: unknown; readonly initialPrompt?: string | undefined; readonly memory?: unknown; readonly background?: boolean | undefined; readonly omitClaudeMd?: boolean | undefined; readonly isolation?: unknown }>();
  expectTypeOf<EventMap['agent.register']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
