// Runs one of the further suites: node scripts/suite.mjs agents|crash|load|packed [vitest arguments]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [suite, ...rest] = process.argv.slice(2);
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', ...rest], {
  stdio: 'inherit',
  env: { ...process.env, TROTLINE_SUITE: suite },
});
process.exit(status ?? 1);
