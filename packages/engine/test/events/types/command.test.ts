// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('command.run', () => {
  expectTypeOf<EventMap['command.run']['e']>().branded.toEqualTypeOf<{ readonly command: string; readonly args: string; readonly origin: { readonly kind: string; readonly name?: string | undefined; readonly server?: string | undefined }; readonly presentation: { readonly isFullscreen: boolean; readonly columns: number } }>();
  expectTypeOf<EventMap['command.run']['result']>().branded.toEqualTypeOf<{ readonly text?: string | undefined; readonly context?: readonly string[] | undefined; readonly exitCode?: number | undefined; readonly ref?: string | undefined }>();
});
test('command.describe', () => {
  expectTypeOf<EventMap['command.describe']['e']>().branded.toEqualTypeOf<{ readonly command: string; readonly description: string; readonly argumentHint?: string | undefined; readonly isHidden: boolean; readonly immediate?: boolean | undefined; readonly provider: { readonly plugin: string; readonly tier: 'prepend' | 'user' | 'append' | 'builtin' | 'core' } }>();
  expectTypeOf<EventMap['command.describe']['result']>().branded.toEqualTypeOf<{ readonly description: string; readonly argumentHint?: string | undefined; readonly isHidden: boolean }>();
});
