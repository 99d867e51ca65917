import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Tests run against the sources; only the tests that start `trotline` or pack the packages use `dist`.
export const alias = [
  { find: /^@trotline\/engine$/, replacement: src('engine/src/index.ts') },
  { find: /^@trotline\/engine\/kernel$/, replacement: src('engine/src/kernel/index.ts') },
  { find: /^trotline$/, replacement: src('trotline/src/index.ts') },
  { find: /^trotline\/host$/, replacement: src('trotline/src/host/index.ts') },
  { find: /^trotline\/agent$/, replacement: src('trotline/src/agent/index.ts') },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
    pool: 'forks',
  },
});
