import { TrotlineError } from '@trotline/engine';

/** What the exit status of every command means. */
export const exit = {
  done: 0,
  /** The turn failed, or a hook aborted it. */
  failed: 1,
  /** Wrong use, or a configuration that cannot be started. */
  misuse: 2,
  /** The script's expectations were not met. */
  unmet: 3,
  interrupted: 130,
} as const;

/** Areas whose errors are the caller's to mend before anything can run. */
const misuseAreas = ['cli.', 'config.', 'trust.', 'modules.', 'host.'];
const misuseCodes = [
  'approvals.allow-syntax',
  'agent.no-model',
  'agent.no-key',
  'agent.script-file',
  'agent.mcp-failed',
];
const notMisuse = ['cli.internal', 'cli.init-failed', 'cli.demo-failed'];

/** The exit status that an error ends a command with. */
export function exitOf(error: unknown): number {
  if (!(error instanceof TrotlineError)) return exit.failed;
  const { code } = error;
  if (code === 'agent.script-unmet') return exit.unmet;
  if (notMisuse.includes(code)) return exit.failed;
  return misuseAreas.some((area) => code.startsWith(area)) || misuseCodes.includes(code) ? exit.misuse : exit.failed;
}
