import type { Registrar } from '@trotline/engine';

/** Denies calls of a tool that come too fast. The count is session state: everybody may read it, and it survives a reload. */
export const register = (on: Registrar['on'], options: Readonly<Record<string, unknown>>): void => {
  const {
    tool = 'Bash',
    calls = 10,
    windowMs = 60_000,
  } = options as { tool?: string; calls?: number; windowMs?: number };

  on(
    'tool.call',
    { tool },
    async ($, e, next) => {
      const ref = { plugin: $.plugin.name, key: 'recent' };
      for (;;) {
        const [now, { value, version }] = await Promise.all([$.clock.now(), $.state.get(ref)]);
        const recent = (Array.isArray(value) ? value : []).filter((at) => now - Number(at) < windowMs);
        if (recent.length >= calls) {
          return { deny: `${tool} was called ${calls} times in ${windowMs / 1000} s; wait, or do more in one call` };
        }
        // Calls side by side read the same version; whoever comes second counts anew.
        const { isSet } = await $.state.set(ref, [...recent, now], { ifVersion: version });
        if (isSet) return next(e);
      }
    },
    { onFailure: 'closed' },
  );
};
