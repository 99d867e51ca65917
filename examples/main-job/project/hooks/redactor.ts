import type { Registrar } from '@trotline/engine';

const secret = /\b(sk|tok|key)-[A-Za-z0-9-]{8,}/g;

/** Replaces secrets in whatever a tool answered, however deep they sit. */
export const register = (on: Registrar['on']): void => {
  on(
    'tool.call',
    async (_$, e, next) => {
      const answer = await next(e);
      return 'deny' in answer ? answer : (redact(answer) as typeof answer);
    },
    { onFailure: 'closed' },
  );
};

function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secret, '[secret removed]');
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redact(inner)]));
}
