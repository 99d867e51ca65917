import { type Document, shown } from './document.ts';
import type { Reporter } from './problem.ts';

/** Top-level keys that PicoClaw's `config.json` has and ours has not. */
const foreign = new Set([
  'agents',
  'bindings',
  'build_info',
  'channel_list',
  'channels',
  'devices',
  'events',
  'evolution',
  'gateway',
  'heartbeat',
  'isolation',
  'model_list',
  'providers',
  'session',
  'tools',
  'version',
  'voice',
]);

/** Top-level keys that only ours has. */
const ours = [
  'extends',
  'policy',
  'approvals',
  'records',
  'extensions',
  'mods',
  'settings',
  'agent',
  'managed',
  'model',
];

/** Whether the data is a PicoClaw configuration, to be read for its hooks alone. */
export function isPicoclaw(root: unknown): root is Record<string, unknown> {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return false;
  const hasForeign = Object.keys(root).some((key) => foreign.has(key));
  return hasForeign && !ours.some((key) => Object.hasOwn(root, key));
}

/** Takes everything but `hooks` out of a PicoClaw configuration and names it in one line. */
export function setRestAside(document: Document, report: Reporter): void {
  if (typeof document.root !== 'object' || document.root === null) return;
  const rest = Object.keys(document.root).filter((key) => key !== 'hooks');
  for (const key of rest) document.drop(document.root, key);
  const names = rest.length > 20 ? [...rest.slice(0, 20).map(shown), `and ${rest.length - 20} more`] : rest.map(shown);
  const hooks = Object.hasOwn(document.root, 'hooks') ? 'its hooks are read' : 'it has no hooks';
  report.notice(
    'config.picoclaw-rest',
    { file: document.file },
    {
      what: `This is a configuration of PicoClaw: ${hooks}; without effect here: ${names.join(', ')}`,
    },
  );
}
