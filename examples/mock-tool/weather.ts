import type { Registrar } from '@trotline/engine';

const weather = {
  name: 'Weather',
  description: 'Tells the weather of a town.',
  inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
};

type Answer = AsyncGenerator<never, { text: string; toolCalls: []; stopReason: null; usage: null }, undefined>;

/** Offers the model a tool that no host has, and answers for it. */
export const register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>): void => {
  const towns = (options['towns'] ?? {}) as Readonly<Record<string, string>>;

  // A generator, so that the answer still streams.
  on('llm.request', async function* (_$, e, next) {
    return yield* next({ ...e, tools: [...e.tools, weather] }) as unknown as Answer;
  });

  on('tool.call', { tool: 'Weather' }, (_$, e) => {
    const town = String(e['town']);
    const told = Object.hasOwn(towns, town) ? towns[town] : undefined;
    if (told === undefined) return { deny: `nothing is known of ${town}` };
    return { result: { town, told }, text: `${town}: ${told}` };
  });
};
