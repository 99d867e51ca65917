// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('process.run', () => {
  expectTypeOf<EventMap['process.run']['e']>().branded.toEqualTypeOf<{ readonly argv: readonly string[]; readonly init?: Readonly<Record<string, unknown>> | undefined }>();
  expectTypeOf<EventMap['process.run']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly exitCode: number; readonly stdout: string; readonly stderr: string; readonly isStdoutTruncated?: boolean | undefined; readonly isStderrTruncated?: boolean | undefined } } | { readonly deny: string }>();
});
test('process.spawn', () => {
  expectTypeOf<EventMap['process.spawn']['e']>().branded.toEqualTypeOf<{ readonly argv: readonly string[]; readonly cwd?: string | undefined; readonly env?: Readonly<Record<string, string>> | undefined; readonly input?: string | undefined }>();
  expectTypeOf<EventMap['process.spawn']['result']>().branded.toEqualTypeOf<{ readonly value: { readonly code: number | null; readonly signal?: string | null | undefined } } | { readonly deny: string }>();
});
