import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const packageDir = fileURLToPath(new URL('../../..', import.meta.url));
const engine = fileURLToPath(new URL('../../../../engine/src/index.ts', import.meta.url));

export interface Bundled {
  /** The absolute path of a program by its name. */
  path(name: string): string;
  remove(): void;
}

/**
 * Sources as programs that Node itself can run, for what needs a process or a thread of its own. They look for manifests of packages
 * from their own place, so they stand as deep in the package as the originals.
 */
export async function bundle(entries: Readonly<Record<string, URL>>): Promise<Bundled> {
  mkdirSync(join(packageDir, 'node_modules'), { recursive: true });
  const folder = mkdtempSync(join(packageDir, 'node_modules', '.modules-test-'));
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, url]) => [name, fileURLToPath(url)])),
    outdir: join(folder, 'modules'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'sources',
        setup: (setup) => setup.onResolve({ filter: /^@trotline\/engine$/ }, () => ({ path: engine })),
      },
    ],
  });
  return {
    path: (name) => join(folder, 'modules', `${name}.mjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
