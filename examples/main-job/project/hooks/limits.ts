import type { Registrar } from '@trotline/engine';

/** Gives every command a time limit, whatever the model asked for. */
export const register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>): void => {
  const limit = Number(options['timeoutMs'] ?? 10_000);
  on('tool.call', { tool: 'Bash' }, (_$, e, next) => {
    const asked = typeof e['timeout'] === 'number' ? e['timeout'] : limit;
    return next({ ...e, timeout: Math.min(asked, limit) });
  });
};
