import type { OpBottom } from '@trotline/engine';
import { text } from './limits.ts';

/** The session's environment: the process's at first, changed for this line alone. */
export function envOps(env: Record<string, string | undefined>): Readonly<Record<string, OpBottom>> {
  return {
    'env.get': (e) => (Object.hasOwn(env, text(e, 'name')) ? env[text(e, 'name')] : undefined),
    'env.set': (e) => {
      const name = text(e, 'name');
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`${name} is not the name of a variable`);
      if (e['value'] === undefined) delete env[name];
      else env[name] = text(e, 'value');
    },
  };
}
