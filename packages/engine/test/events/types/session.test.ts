// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('session.start', () => {
  expectTypeOf<EventMap['session.start']['e']>().branded.toEqualTypeOf<{ readonly cwd: string; readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly isInteractive: boolean }>();
  expectTypeOf<EventMap['session.start']['result']>().branded.toEqualTypeOf<{ readonly cwd: string }>();
});
test('session.end', () => {
  expectTypeOf<EventMap['session.end']['e']>().branded.toEqualTypeOf<{ readonly reason: 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other'; readonly sessionId: string; readonly resume?: { readonly id: string } | undefined }>();
  expectTypeOf<EventMap['session.end']['result']>().branded.toEqualTypeOf<{ readonly sessionId: string }>();
});
test('session.compact', () => {
  expectTypeOf<EventMap['session.compact']['e']>().branded.toEqualTypeOf<{ readonly trigger: 'manual' | 'auto' | 'plugin' | 'precompute'; readonly agentId?: string | undefined; readonly instructions?: string | undefined; readonly messages: readonly ({ readonly role: string; readonly text: string; readonly toolUses?: readonly unknown[] | undefined; readonly toolResults?: readonly unknown[] | undefined; readonly handle?: unknown })[] }>();
  expectTypeOf<EventMap['session.compact']['result']>().branded.toEqualTypeOf<{ readonly messages: readonly ({ readonly role: string; readonly text: string; readonly toolUses?: readonly unknown[] | undefined; readonly toolResults?: readonly unknown[] | undefined; readonly handle?: unknown })[]; readonly tokensBefore?: number | undefined; readonly tokensAfter?: number | undefined; readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cache_read_input_tokens?: number | undefined; readonly cache_creation_input_tokens?: number | undefined; readonly model?: string | undefined } | undefined } | { readonly skip: string }>();
});
test('session.receive', () => {
  expectTypeOf<EventMap['session.receive']['e']>().branded.toEqualTypeOf<{ readonly origin: Readonly<Record<string, unknown>>; readonly text: string; readonly event?: Readonly<Record<string, unknown>> | undefined; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['session.receive']['result']>().branded.toEqualTypeOf<{ readonly text: string } | { readonly consumed: string }>();
});
test('session.send', () => {
  expectTypeOf<EventMap['session.send']['e']>().branded.toEqualTypeOf<{ readonly to: string; readonly text: string; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined }; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['session.send']['result']>().branded.toEqualTypeOf<{ readonly isDelivered: boolean; readonly reason?: string | undefined }>();
});
test('session.append', () => {
  expectTypeOf<EventMap['session.append']['e']>().branded.toEqualTypeOf<{ readonly message: { readonly type: 'user' | 'assistant' | 'attachment' | 'system'; readonly name?: string | undefined; readonly role?: string | undefined; readonly isMeta?: boolean | undefined; readonly content: readonly (Readonly<Record<string, unknown>>)[] }; readonly door: 'prompt' | 'command' | 'response' | 'tool-result' | 'tool-message' | 'delivery' | 'attachment' | 'hook-context' | 'note' | 'compaction' | 'notice'; readonly origin: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } | { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined }; readonly uuid: string; readonly agentId?: string | undefined }>();
  expectTypeOf<EventMap['session.append']['result']>().branded.toEqualTypeOf<{ readonly message: { readonly type: string; readonly content: readonly (Readonly<Record<string, unknown>>)[]; readonly name?: string | undefined }; readonly uuid: string } | { readonly deny: string }>();
});
test('session.attach', () => {
  expectTypeOf<EventMap['session.attach']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly clientId: string; readonly viewport?: unknown }>();
  expectTypeOf<EventMap['session.attach']['result']>().branded.toEqualTypeOf<{ readonly clientId: string }>();
});
test('session.detach', () => {
  expectTypeOf<EventMap['session.detach']['e']>().branded.toEqualTypeOf<{ readonly surface: 'terminal' | 'desktop' | 'mobile' | 'vscode' | null; readonly clientId: string; readonly reason: 'detach' | 'end' }>();
  expectTypeOf<EventMap['session.detach']['result']>().branded.toEqualTypeOf<{ readonly clientId: string }>();
});
test('session.measure', () => {
  expectTypeOf<EventMap['session.measure']['e']>().branded.toEqualTypeOf<{ readonly context: { readonly tokens?: number | undefined; readonly window: number; readonly percent?: number | undefined; readonly breakdown?: unknown }; readonly rateLimits: readonly ({ readonly kind: string; readonly percentUsed: number; readonly resetsAt?: unknown })[]; readonly cost?: { readonly usd: number } | undefined; readonly changed: readonly ('context' | 'rateLimits' | 'cost')[] }>();
  expectTypeOf<EventMap['session.measure']['result']>().branded.toEqualTypeOf<{ readonly changed: readonly ('context' | 'rateLimits' | 'cost')[] }>();
});
test('session.rollback', () => {
  expectTypeOf<EventMap['session.rollback']['e']>().branded.toEqualTypeOf<{ readonly sessionId: string; readonly reason: string; readonly rolledBackMessageIndex: number }>();
  expectTypeOf<EventMap['session.rollback']['result']>().branded.toEqualTypeOf<{ readonly sessionId: string }>();
});
