// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('prompt.submit', () => {
  expectTypeOf<EventMap['prompt.submit']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly context?: readonly string[] | undefined; readonly attachments?: readonly ({ readonly type: 'image' | 'audio' | 'document'; readonly mediaType?: string | undefined; readonly filename?: string | undefined })[] | undefined; readonly turnId?: string | undefined; readonly wait: boolean; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } }>();
  expectTypeOf<EventMap['prompt.submit']['result']>().branded.toEqualTypeOf<{ readonly text: string; readonly context?: readonly string[] | undefined; readonly origin?: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } | undefined } | { readonly drop: string }>();
});
test('prompt.fill', () => {
  expectTypeOf<EventMap['prompt.fill']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly mode: 'replace' | 'append' | 'insert'; readonly decorations?: unknown; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } }>();
  expectTypeOf<EventMap['prompt.fill']['result']>().branded.toEqualTypeOf<{ readonly isFilled: boolean; readonly refusal?: 'no_composer' | 'dialog' | undefined }>();
});
test('prompt.suggest', () => {
  expectTypeOf<EventMap['prompt.suggest']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } }>();
  expectTypeOf<EventMap['prompt.suggest']['result']>().branded.toEqualTypeOf<{ readonly isShown: boolean }>();
});
test('prompt.edit', () => {
  expectTypeOf<EventMap['prompt.edit']['e']>().branded.toEqualTypeOf<{ readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined }; readonly key?: { readonly key: string; readonly ctrl?: boolean | undefined; readonly shift?: boolean | undefined; readonly meta?: boolean | undefined } | undefined; readonly text: string; readonly cursor: number; readonly start: number; readonly end: number; readonly inputText: string }>();
  expectTypeOf<EventMap['prompt.edit']['result']>().branded.toEqualTypeOf<{ readonly text: string; readonly cursor: number; readonly decorations?: readonly unknown[] | undefined }>();
});
test('prompt.autocomplete', () => {
  expectTypeOf<EventMap['prompt.autocomplete']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly cursor: number; readonly token: string; readonly start: number }>();
  expectTypeOf<EventMap['prompt.autocomplete']['result']>().branded.toEqualTypeOf<{ readonly suggestions: readonly ({ readonly text: string; readonly label?: string | undefined; readonly description?: string | undefined })[] }>();
});
test('prompt.section', () => {
  expectTypeOf<EventMap['prompt.section']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly text: string | null }>();
  expectTypeOf<EventMap['prompt.section']['result']>().branded.toEqualTypeOf<{ readonly text: string | null }>();
});
test('prompt.context', () => {
  expectTypeOf<EventMap['prompt.context']['e']>().branded.toEqualTypeOf<{ readonly blocks: readonly ({ readonly name: string; readonly text: string })[]; readonly instructionFiles?: readonly ({ readonly path: string; readonly kind: 'managed' | 'user' | 'project' | 'local' | 'memory'; readonly content: string; readonly parent?: string | undefined })[] | undefined }>();
  expectTypeOf<EventMap['prompt.context']['result']>().branded.toEqualTypeOf<{ readonly blocks: readonly ({ readonly name: string; readonly text: string })[]; readonly instructionFiles?: readonly ({ readonly path: string; readonly kind: 'managed' | 'user' | 'project' | 'local' | 'memory'; readonly content: string; readonly parent?: string | undefined })[] | undefined }>();
});
test('prompt.compose', () => {
  expectTypeOf<EventMap['prompt.compose']['e']>().branded.toEqualTypeOf<{ readonly model: string; readonly promptModel: string; readonly surfaces: readonly string[]; readonly tools: readonly string[]; readonly outputStyle: { readonly name: string; readonly isKeepingCodingInstructions: boolean } | null; readonly traits: readonly string[] }>();
  expectTypeOf<EventMap['prompt.compose']['result']>().branded.toEqualTypeOf<{ readonly sections: readonly ({ readonly id: string; readonly text: string; readonly scope: 'shared' | 'session' })[] }>();
});
test('prompt.attachment', () => {
  expectTypeOf<EventMap['prompt.attachment']['e']>().branded.toEqualTypeOf<{ readonly type: string; readonly text: string; readonly origin: unknown; readonly agentId?: string | undefined; readonly detail?: unknown }>();
  expectTypeOf<EventMap['prompt.attachment']['result']>().branded.toEqualTypeOf<{ readonly text: string | null }>();
});
test('prompt.mention', () => {
  expectTypeOf<EventMap['prompt.mention']['e']>().branded.toEqualTypeOf<{ readonly mention: string; readonly path: string; readonly offset?: number | undefined; readonly limit?: number | undefined; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['prompt.mention']['result']>().branded.toEqualTypeOf<{ readonly type: 'file' | 'already_read_file' | 'pdf_reference' | null; readonly context?: readonly string[] | undefined } | { readonly deny: string }>();
});
