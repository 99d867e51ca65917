// What registered hooks keep in memory, in a process of its own with the collector in hand.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const title = 'memory';

/** @param {import('./measure.mjs').Measure} _measure */
export async function run(_measure) {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', fileURLToPath(new URL('memory-child.mjs', import.meta.url))],
    {
      encoding: 'utf8',
    },
  );
  if (child.status !== 0) throw new Error(`the memory bench failed:\n${child.stderr}`);
  const figures = JSON.parse(child.stdout);
  return Object.entries(figures).map(([peer, bytes]) => ({
    name: '1,000 hooks',
    peer,
    value: bytes / 1024,
    unit: 'KB',
    ratio: figures.trotline / bytes,
  }));
}
