import type { EventMap } from '@trotline/engine';
import { definitionsOf, type Loop, type Turn } from './context.ts';
import { raise } from './raise.ts';
import type { Section } from './system.ts';

type Composing = EventMap['prompt.compose']['e'];

/**
 * The system prompt of a turn as hooks have it: `prompt.section` once for each part until a hook invalidates it,
 * `prompt.compose` once for each turn, so that within one the server's cache holds.
 */
export async function systemText(turn: Turn): Promise<string> {
  const { loop, signal } = turn;
  const { engine, surface } = loop.shared;
  const e: Composing = {
    model: loop.model.id,
    promptModel: loop.model.id,
    surfaces: surface === null ? [] : [surface],
    tools: definitionsOf(loop).map(({ name }) => name),
    outputStyle: null,
    traits: [],
  };
  const sections = await sectionsOf(loop, signal);
  const composed = await raise(engine, 'prompt.compose', e, () => ({ sections }), signal);
  return composed.sections.map(({ text }) => text).join('\n\n');
}

/** The parts of a loop's system prompt, past the hooks of each. */
export async function sectionsOf({ shared, sections }: Loop, signal?: AbortSignal): Promise<Section[]> {
  const kept: Section[] = [];
  for (const section of sections) {
    const { id: name, text: own } = section;
    const key = `${name}\0${own}`;
    let text = shared.sectionCache.get(key);
    if (text === undefined) {
      const bottom = (final: { readonly text: string | null }): { text: string | null } => ({ text: final.text });
      ({ text } = await raise(shared.engine, 'prompt.section', { name, text: own }, bottom, signal));
      shared.sectionCache.set(key, text);
    }
    if (text !== null) kept.push({ ...section, text });
  }
  return kept;
}
