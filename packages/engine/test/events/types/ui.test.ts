// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('ui.render', () => {
  expectTypeOf<EventMap['ui.render']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly viewport?: unknown; readonly props: Readonly<Record<string, unknown>> }>();
  expectTypeOf<EventMap['ui.render']['result']>().branded.toEqualTypeOf<unknown>();
});
test('ui.resolve', () => {
  expectTypeOf<EventMap['ui.resolve']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component?: string | undefined }>();
  expectTypeOf<EventMap['ui.resolve']['result']>().branded.toEqualTypeOf<unknown>();
});
test('ui.press', () => {
  expectTypeOf<EventMap['ui.press']['e']>().branded.toEqualTypeOf<{ readonly plugin: string; readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly element: string; readonly link?: { readonly href: string } | undefined }>();
  expectTypeOf<EventMap['ui.press']['result']>().branded.toEqualTypeOf<{ readonly element: string }>();
});
test('ui.input', () => {
  expectTypeOf<EventMap['ui.input']['e']>().branded.toEqualTypeOf<{ readonly plugin: string; readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly element: string; readonly kind: 'change' | 'submit'; readonly value: string }>();
  expectTypeOf<EventMap['ui.input']['result']>().branded.toEqualTypeOf<{ readonly element: string; readonly value: string }>();
});
test('ui.select', () => {
  expectTypeOf<EventMap['ui.select']['e']>().branded.toEqualTypeOf<{ readonly plugin: string; readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly element: string; readonly value: string }>();
  expectTypeOf<EventMap['ui.select']['result']>().branded.toEqualTypeOf<{ readonly element: string; readonly value: string }>();
});
test('ui.message', () => {
  expectTypeOf<EventMap['ui.message']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly element: string; readonly module: string; readonly data: unknown }>();
  expectTypeOf<EventMap['ui.message']['result']>().branded.toEqualTypeOf<{ readonly props?: Readonly<Record<string, unknown>> | undefined }>();
});
test('ui.fault', () => {
  expectTypeOf<EventMap['ui.fault']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly component: string; readonly requestId: string; readonly element: string; readonly module: string; readonly phase: 'load' | 'render' | 'run'; readonly reason: string }>();
  expectTypeOf<EventMap['ui.fault']['result']>().branded.toEqualTypeOf<{}>();
});
test('ui.scroll', () => {
  expectTypeOf<EventMap['ui.scroll']['e']>().branded.toEqualTypeOf<{ readonly component: 'Pane' | 'AbovePrompt'; readonly requestId: string; readonly offset: number; readonly by: number; readonly bodyRows: number; readonly contentRows: number; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined }; readonly pointer?: unknown }>();
  expectTypeOf<EventMap['ui.scroll']['result']>().branded.toEqualTypeOf<{ readonly deny?: string | undefined }>();
});
test('ui.focus', () => {
  expectTypeOf<EventMap['ui.focus']['e']>().branded.toEqualTypeOf<{ readonly component: string; readonly requestId: string; readonly plugin?: string | undefined; readonly element?: string | undefined; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined } }>();
  expectTypeOf<EventMap['ui.focus']['result']>().branded.toEqualTypeOf<{ readonly deny?: string | undefined }>();
});
