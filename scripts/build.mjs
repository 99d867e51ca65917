// Compiles both packages to `dist` with the native TypeScript compiler, the engine first.
// With --if-missing only where `dist` is not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = `${root}node_modules/typescript7/bin/tsc`;
const wanted = ['engine', 'trotline'].filter(
  (name) => !process.argv.includes('--if-missing') || !existsSync(`${root}packages/${name}/dist/index.js`),
);
for (const name of wanted) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', `packages/${name}`], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
