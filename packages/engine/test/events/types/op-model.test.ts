// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('model.complete', () => {
  expectTypeOf<EventMap['model.complete']['e']>().branded.toEqualTypeOf<{ readonly model: string; readonly prompt: string; readonly system?: string | undefined; readonly promptBlocks?: readonly unknown[] | undefined; readonly systemBlocks?: readonly unknown[] | undefined; readonly maxTokens?: number | undefined; readonly effort?: string | undefined; readonly timeoutMs?: number | undefined }>();
  expectTypeOf<EventMap['model.complete']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isAnswered: true; readonly text: string; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | undefined } | { readonly isAnswered: false; readonly reason: 'api-error' | 'empty-reply' | 'aborted' | 'nothing-to-fork'; readonly status?: number | null | undefined; readonly error?: string | undefined; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | undefined } } | { readonly deny: string }>();
});
test('model.classify', () => {
  expectTypeOf<EventMap['model.classify']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly labels: readonly string[]; readonly options?: Readonly<Record<string, unknown>> | undefined }>();
  expectTypeOf<EventMap['model.classify']['result']>().branded.toEqualTypeOf<{ readonly value: string | undefined } | { readonly deny: string }>();
});
test('model.fork', () => {
  expectTypeOf<EventMap['model.fork']['e']>().branded.toEqualTypeOf<{ readonly prompt: string }>();
  expectTypeOf<EventMap['model.fork']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isAnswered: true; readonly text: string; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | undefined } | { readonly isAnswered: false; readonly reason: 'api-error' | 'empty-reply' | 'aborted' | 'nothing-to-fork'; readonly status?: number | null | undefined; readonly error?: string | undefined; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | undefined } } | { readonly deny: string }>();
});
