// biome-ignore-all format: generated
// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields
// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.
import { expectTypeOf, test } from 'vitest';
import type { EventMap } from '../../../src/index.ts';

test('skill.prompt', () => {
  expectTypeOf<EventMap['skill.prompt']['e']>().branded.toEqualTypeOf<{ readonly skill: string; readonly text: string }>();
  expectTypeOf<EventMap['skill.prompt']['result']>().branded.toEqualTypeOf<{ readonly text: string }>();
});
