// `npm start`: builds what is missing, then runs the demonstration as `trotline demo` does.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (path) => fileURLToPath(new URL(`../../packages/trotline/${path}`, import.meta.url));

if (!existsSync(at('dist/cli/main.js'))) {
  console.error('Building once; this takes a few seconds.');
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(2);
}
const { status, signal } = spawnSync(process.execPath, [at('bin/trotline.js'), 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(signal === null ? (status ?? 1) : 130);
