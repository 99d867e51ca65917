// Compiles both packages to `dist` with the native TypeScript compiler, the engine first, and puts the demonstration's files beside them.
// With --if-missing only where `dist` is not there yet. A type error does not keep the rest from being built, and is the exit code.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = `${root}node_modules/typescript7/bin/tsc`;
const wanted = ['engine', 'trotline'].filter(
  (name) => !process.argv.includes('--if-missing') || !existsSync(`${root}packages/${name}/dist/index.js`),
);
let code = 0;
for (const name of wanted) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', `packages/${name}`], { cwd: root, stdio: 'inherit' });
  code ||= status ?? 1;
}
for (const folder of wanted.includes('trotline') ? ['project', 'start'] : []) {
  cpSync(`${root}examples/main-job/${folder}`, `${root}packages/trotline/dist/demo/${folder}`, { recursive: true });
}
process.exit(code);
