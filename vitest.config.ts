import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Tests run against the sources; only those that start `trotline` or pack the packages use `dist`.
const alias = [
  { find: /^@trotline\/engine$/, replacement: src('engine/src/index.ts') },
  { find: /^@trotline\/engine\/kernel$/, replacement: src('engine/src/kernel/index.ts') },
  { find: /^trotline$/, replacement: src('trotline/src/index.ts') },
  { find: /^trotline\/host$/, replacement: src('trotline/src/host/index.ts') },
  { find: /^trotline\/agent$/, replacement: src('trotline/src/agent/index.ts') },
];

// `npm test` runs *.test.ts. The further suites, each with its own script:
//   load    *.load.ts and *.matrix.test.ts, with both cores kept busy
//   agents  *.agents.ts: whole runs of the built command line against model and MCP servers
//   crash   *.crash.ts: what is true after kill -9
//   packed  *.packed.ts: the packages as they would be published, on Node 20, 22 and 24
const suite = process.env['TROTLINE_SUITE'] ?? 'unit';
const include: Readonly<Record<string, string[]>> = {
  unit: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
  load: ['packages/*/test/**/*.load.ts', 'packages/*/test/**/*.matrix.test.ts'],
  agents: ['packages/*/test/**/*.agents.ts'],
  crash: ['packages/*/test/**/*.crash.ts'],
  packed: ['packages/*/test/**/*.packed.ts'],
};
const report = process.env['TROTLINE_REPORT'];

export default defineConfig({
  resolve: { alias },
  test: {
    include: include[suite] ?? [],
    exclude: ['**/fixtures/**', '**/node_modules/**', '**/dist/**'],
    testTimeout: suite === 'load' || suite === 'packed' ? 240_000 : 20_000,
    hookTimeout: suite === 'load' || suite === 'packed' ? 240_000 : 30_000,
    pool: 'forks',
    // Most tests wait for processes more than they compute; a worker less than cores would leave one idle.
    maxWorkers: 4,
    ...(suite === 'load' ? { globalSetup: ['scripts/busy.mjs'] } : {}),
    ...(report === undefined ? {} : { reporters: ['default', ['json', { outputFile: report }]] }),
  },
});
