// Compiles both packages to `dist` with the native TypeScript compiler, the engine first.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript7/bin/tsc', import.meta.url));
for (const name of ['engine', 'trotline']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', `packages/${name}`], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
