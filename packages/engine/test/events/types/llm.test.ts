// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('llm.request', () => {
  expectTypeOf<EventMap['llm.request']['e']>().branded.toEqualTypeOf<{ readonly turnId: string; readonly index: number; readonly model: string; readonly messages: readonly unknown[]; readonly tools: readonly unknown[]; readonly options: Readonly<Record<string, unknown>>; readonly effort?: string | number | undefined; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['llm.request']['result']>().branded.toEqualTypeOf<{ readonly text: string; readonly reasoning?: string | undefined; readonly toolCalls: readonly ({ readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>>; readonly malformed?: string | undefined })[]; readonly stopReason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'compaction' | 'refusal' | 'model_context_window_exceeded' | null; readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | null }>();
});
