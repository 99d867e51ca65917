// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('turn.start', () => {
  expectTypeOf<EventMap['turn.start']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly turnId: string; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['turn.start']['result']>().branded.toEqualTypeOf<{ readonly turnId: string }>();
});
test('turn.step', () => {
  expectTypeOf<EventMap['turn.step']['e']>().branded.toEqualTypeOf<{ readonly turnId: string; readonly index: number; readonly model: string; readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | string | number | undefined; readonly messageCount: number; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['turn.step']['result']>().branded.toEqualTypeOf<{ readonly turnId: string; readonly index: number; readonly answer: string; readonly toolUses: readonly ({ readonly name: string; readonly input: unknown })[]; readonly serverToolUses?: readonly unknown[] | undefined; readonly stopReason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'compaction' | 'refusal' | 'model_context_window_exceeded' | null; readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | null }>();
});
test('turn.complete', () => {
  expectTypeOf<EventMap['turn.complete']['e']>().branded.toEqualTypeOf<{ readonly answer: string; readonly durationMs: number; readonly isAborted: boolean; readonly turnId: string; readonly agentId?: string | undefined; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | null | undefined; readonly reason: 'answer' | 'aborted' | 'refusal' | 'error'; readonly refusal?: { readonly category?: string | undefined; readonly explanation?: string | undefined } | undefined }>();
  expectTypeOf<EventMap['turn.complete']['result']>().branded.toEqualTypeOf<{ readonly text: string; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | null | undefined }>();
});
test('turn.iteration', () => {
  expectTypeOf<EventMap['turn.iteration']['e']>().branded.toEqualTypeOf<{ readonly turnId: string; readonly iteration: number; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['turn.iteration']['result']>().branded.toEqualTypeOf<{ readonly iteration: number }>();
});
