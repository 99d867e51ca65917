// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('ui.toast', () => {
  expectTypeOf<EventMap['ui.toast']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly timeoutMs?: number | undefined }>();
  expectTypeOf<EventMap['ui.toast']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.status', () => {
  expectTypeOf<EventMap['ui.status']['e']>().branded.toEqualTypeOf<{ readonly text?: string | undefined }>();
  expectTypeOf<EventMap['ui.status']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.log', () => {
  expectTypeOf<EventMap['ui.log']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly to: 'transcript' | 'debug' }>();
  expectTypeOf<EventMap['ui.log']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.notice', () => {
  expectTypeOf<EventMap['ui.notice']['e']>().branded.toEqualTypeOf<{ readonly tool_use_id: string; readonly text?: string | undefined }>();
  expectTypeOf<EventMap['ui.notice']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.invalidate', () => {
  expectTypeOf<EventMap['ui.invalidate']['e']>().branded.toEqualTypeOf<{ readonly event: string }>();
  expectTypeOf<EventMap['ui.invalidate']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.open', () => {
  expectTypeOf<EventMap['ui.open']['e']>().branded.toEqualTypeOf<{ readonly id: string; readonly title?: string | undefined; readonly focus?: true | undefined; readonly closeOnEscape?: true | undefined; readonly holdToasts?: true | undefined; readonly rows?: number | undefined; readonly columns?: number | undefined }>();
  expectTypeOf<EventMap['ui.open']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isPlaced: boolean; readonly reason?: string | undefined } } | { readonly deny: string }>();
});
test('ui.close', () => {
  expectTypeOf<EventMap['ui.close']['e']>().branded.toEqualTypeOf<{ readonly id: string; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } }>();
  expectTypeOf<EventMap['ui.close']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.panes', () => {
  expectTypeOf<EventMap['ui.panes']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['ui.panes']['result']>().branded.toEqualTypeOf<{ readonly value: readonly unknown[] } | { readonly deny: string }>();
});
test('ui.selection', () => {
  expectTypeOf<EventMap['ui.selection']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['ui.selection']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('ui.copy', () => {
  expectTypeOf<EventMap['ui.copy']['e']>().branded.toEqualTypeOf<{ readonly text: string; readonly surface?: string | undefined }>();
  expectTypeOf<EventMap['ui.copy']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly isCopied: boolean; readonly reason?: string | undefined } } | { readonly deny: string }>();
});
test('ui.blit', () => {
  expectTypeOf<EventMap['ui.blit']['e']>().branded.toEqualTypeOf<{ readonly args: unknown }>();
  expectTypeOf<EventMap['ui.blit']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
