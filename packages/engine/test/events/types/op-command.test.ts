// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('command.list', () => {
  expectTypeOf<EventMap['command.list']['e']>().branded.toEqualTypeOf<{}>();
  expectTypeOf<EventMap['command.list']['result']>().branded.toEqualTypeOf<{ readonly value: readonly (Readonly<Record<string, unknown>>)[] } | { readonly deny: string }>();
});
test('command.register', () => {
  expectTypeOf<EventMap['command.register']['e']>().branded.toEqualTypeOf<{ readonly name: string; readonly description: string; readonly argumentHint?: string | undefined; readonly immediate?: true | undefined; readonly aliases?: readonly string[] | undefined; readonly isHidden?: boolean | undefined; readonly isTerminalOnly?: boolean | undefined; readonly isWorkspaceFree?: boolean | undefined }>();
  expectTypeOf<EventMap['command.register']['result']>().branded.toEqualTypeOf<{ readonly value: unknown } | { readonly deny: string }>();
});
