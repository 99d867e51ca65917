// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('tool.call', () => {
  expectTypeOf<EventMap['tool.call']['e']>().branded.toEqualTypeOf<{ readonly tool: string; readonly tool_use_id: string; readonly agentId?: string | undefined } & { readonly [argument: string]: unknown }>();
  expectTypeOf<EventMap['tool.call']['result']>().branded.toEqualTypeOf<{ readonly deny: string } | { readonly result: unknown; readonly text?: string | undefined; readonly isError?: boolean | undefined; readonly context?: readonly string[] | undefined; readonly isReadOnly?: boolean | undefined; readonly ref?: string | undefined }>();
});
test('tool.check', () => {
  expectTypeOf<EventMap['tool.check']['e']>().branded.toEqualTypeOf<{ readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly tool_use_id?: string | undefined; readonly agentId?: string | undefined; readonly ceiling?: 'allow' | 'ask' | 'deny' | undefined }>();
  expectTypeOf<EventMap['tool.check']['result']>().branded.toEqualTypeOf<{ readonly decision: 'allow' | 'ask' | 'deny'; readonly reason?: string | undefined; readonly rule?: string | undefined; readonly hook?: string | undefined }>();
});
test('tool.describe', () => {
  expectTypeOf<EventMap['tool.describe']['e']>().branded.toEqualTypeOf<{ readonly tool: string; readonly description: string; readonly isDeferred?: true | undefined; readonly provider: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } }>();
  expectTypeOf<EventMap['tool.describe']['result']>().branded.toEqualTypeOf<{ readonly description: string; readonly isDeferred?: boolean | undefined }>();
});
test('tool.error', () => {
  expectTypeOf<EventMap['tool.error']['e']>().branded.toEqualTypeOf<{ readonly tool: string; readonly tool_use_id: string; readonly input: Readonly<Record<string, unknown>>; readonly error: string; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['tool.error']['result']>().branded.toEqualTypeOf<{ readonly error: string }>();
});
