// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('fs.read', () => {
  expectTypeOf<EventMap['fs.read']['e']>().branded.toEqualTypeOf<{ readonly path: string; readonly as: 'text' | 'bytes' }>();
  expectTypeOf<EventMap['fs.read']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('fs.write', () => {
  expectTypeOf<EventMap['fs.write']['e']>().branded.toEqualTypeOf<{ readonly path: string; readonly text: string }>();
  expectTypeOf<EventMap['fs.write']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
test('fs.list', () => {
  expectTypeOf<EventMap['fs.list']['e']>().branded.toEqualTypeOf<{ readonly path: string }>();
  expectTypeOf<EventMap['fs.list']['result']>().branded.toEqualTypeOf<{ readonly value: readonly ({ readonly name: string; readonly kind: 'file' | 'dir' | 'other'; readonly size: number; readonly mtimeMs: number; readonly isLink: boolean })[] } | { readonly deny: string }>();
});
test('fs.exists', () => {
  expectTypeOf<EventMap['fs.exists']['e']>().branded.toEqualTypeOf<{ readonly path: string }>();
  expectTypeOf<EventMap['fs.exists']['result']>().branded.toEqualTypeOf<{ readonly value: boolean } | { readonly deny: string }>();
});
test('fs.stat', () => {
  expectTypeOf<EventMap['fs.stat']['e']>().branded.toEqualTypeOf<{ readonly path: string; readonly resolve: boolean }>();
  expectTypeOf<EventMap['fs.stat']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly kind: 'file' | 'dir' | 'other'; readonly size: number; readonly mtimeMs: number; readonly isLink: boolean; readonly realPath?: string | undefined } } | { readonly deny: string }>();
});
test('fs.ancestors', () => {
  expectTypeOf<EventMap['fs.ancestors']['e']>().branded.toEqualTypeOf<{ readonly names: readonly string[]; readonly of?: string | undefined; readonly below?: string | undefined }>();
  expectTypeOf<EventMap['fs.ancestors']['result']>().branded.toEqualTypeOf<{ readonly value: readonly unknown[] } | { readonly deny: string }>();
});
