// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('agent.offer', () => {
  expectTypeOf<EventMap['agent.offer']['e']>().branded.toEqualTypeOf<{ readonly agent: string; readonly description: string; readonly source: string; readonly provider: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } }>();
  expectTypeOf<EventMap['agent.offer']['result']>().branded.toEqualTypeOf<{ readonly isOffered: boolean }>();
});
test('agent.spawn', () => {
  expectTypeOf<EventMap['agent.spawn']['e']>().branded.toEqualTypeOf<{ readonly tool_use_id: string; readonly prompt: string; readonly description: string; readonly subagentType: string; readonly provider: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' }; readonly model?: string | undefined; readonly parentModel: string; readonly parentAgentId?: string | undefined; readonly permissionMode?: string | undefined; readonly background: boolean; readonly fork: boolean; readonly isTeammate?: true | undefined; readonly workflow?: { readonly runId: string; readonly agentIndex: number } | undefined; readonly name?: string | undefined; readonly cwd?: string | undefined }>();
  expectTypeOf<EventMap['agent.spawn']['result']>().branded.toEqualTypeOf<{ readonly model: string; readonly agentId?: string | undefined; readonly teammateId?: string | undefined } | { readonly deny: string }>();
});
