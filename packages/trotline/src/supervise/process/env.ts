import type { PeerEnvironment } from './types.ts';

/** Enough to run programs, and nothing that is likely to be a secret. For `inherit`. */
export const PLAIN_ENVIRONMENT: readonly string[] = [
  'HOME',
  'LANG',
  'LC_*',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
];

/** The environment of a child: what is inherited, then what is set, the latter winning. */
export function childEnvironment(options: PeerEnvironment | undefined): Record<string, string> {
  const parent = options?.from ?? process.env;
  const inherit = options?.inherit ?? 'all';
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (inherit === 'all' || inherit.some((pattern) => matches(pattern, name))))
      env[name] = value;
  }
  for (const [name, value] of Object.entries(options?.set ?? {})) env[name] = value;
  return env;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
