import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Raised by hand whenever the same source compiles to something else. */
const FORMAT = 1;

const require = createRequire(import.meta.url);

const versionOf = (manifest: string): string =>
  String((JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }).version);

/** All that decides what a source compiles to, besides the source: without loading any of it. */
export const versions = (): readonly unknown[] => [
  FORMAT,
  versionOf(require.resolve('../../../package.json')),
  ...['esbuild', 'oxc-parser', 'magic-string'].map((name) => versionOf(require.resolve(`${name}/package.json`))),
  process.versions.node.split('.')[0],
];
