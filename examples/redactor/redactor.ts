import type { Registrar } from '@trotline/engine';

/** Takes secrets out of every result, wherever in it they stand, before the model or a program reads it. */
export const register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>): void => {
  const patterns = Array.isArray(options['patterns']) ? options['patterns'].map((text) => new RegExp(text, 'g')) : [];

  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return patterns.reduce((text, secret) => text.replace(secret, '[removed]'), value);
    if (Array.isArray(value)) return value.map(redact);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redact(inner)]));
  };

  on(
    'tool.call',
    async (_$, e, next) => {
      const answer = await next(e);
      return redact(answer) as typeof answer;
    },
    // If it breaks, the result is withheld: better no answer than one with a secret in it.
    { onFailure: 'closed' },
  );
};
