// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('session.cwd', () => {
  expectTypeOf<EventMap['session.cwd']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.cwd']['result']>().branded.toEqualTypeOf<{ readonly value: string } | { readonly deny: string }>();
});
test('session.root', () => {
  expectTypeOf<EventMap['session.root']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.root']['result']>().branded.toEqualTypeOf<{ readonly value: string } | { readonly deny: string }>();
});
test('session.model', () => {
  expectTypeOf<EventMap['session.model']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.model']['result']>().branded.toEqualTypeOf<{ readonly value: string } | { readonly deny: string }>();
});
test('session.turns', () => {
  expectTypeOf<EventMap['session.turns']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.turns']['result']>().branded.toEqualTypeOf<{ readonly value: number } | { readonly deny: string }>();
});
test('session.id', () => {
  expectTypeOf<EventMap['session.id']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.id']['result']>().branded.toEqualTypeOf<{ readonly value: string } | { readonly deny: string }>();
});
test('session.repo', () => {
  expectTypeOf<EventMap['session.repo']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.repo']['result']>().branded.toEqualTypeOf<{ readonly value: Readonly<Record<string, unknown>> | null } | { readonly deny: string }>();
});
test('session.surface', () => {
  expectTypeOf<EventMap['session.surface']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.surface']['result']>().branded.toEqualTypeOf<{ readonly value: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null } | { readonly deny: string }>();
});
test('session.surfaces', () => {
  expectTypeOf<EventMap['session.surfaces']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.surfaces']['result']>().branded.toEqualTypeOf<{ readonly value: readonly unknown[] } | { readonly deny: string }>();
});
test('session.authorize', () => {
  expectTypeOf<EventMap['session.authorize']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.authorize']['result']>().branded.toEqualTypeOf<{ readonly value: Readonly<Record<string, unknown>> | null } | { readonly deny: string }>();
});
test('session.version', () => {
  expectTypeOf<EventMap['session.version']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['session.version']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly version: string } } | { readonly deny: string }>();
});
test('session.messages', () => {
  expectTypeOf<EventMap['session.messages']['e']>().branded.toEqualTypeOf<{ readonly agentId?: string | undefined; readonly as?: 'api' | undefined }>();
  expectTypeOf<EventMap['session.messages']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('session.usage', () => {
  expectTypeOf<EventMap['session.usage']['e']>().branded.toEqualTypeOf<{ readonly breakdown?: 'summary' | 'full' | undefined; readonly columns?: number | undefined }>();
  expectTypeOf<EventMap['session.usage']['result']>().branded.toEqualTypeOf<{ readonly value: Readonly<Record<string, unknown>> } | { readonly deny: string }>();
});
