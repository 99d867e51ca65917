import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bin, root } from '../cli/harness.ts';
import type { Block } from './page.ts';

export interface Ran {
  readonly code: number | null;
  /** stdout and stderr as a terminal would show them. */
  readonly printed: string;
}

/** What a reader has who follows one page from top to bottom: a folder, a home, and `trotline` to call. */
export interface Session {
  readonly folder: string;
  readonly home: string;
  /** Writes a block that is a file. */
  save(block: Block): string;
  run(block: Block): Promise<Ran>;
  remove(): void;
}

const limitMs = 60_000;

/** Opens a session for a page. Files that the page shows are there from the start, as it shows them first. */
export function openSession(shown: readonly Block[] = []): Session {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-docs-')));
  const folder = join(top, 'project');
  const home = join(top, 'home');
  const path = join(top, 'bin');
  for (const made of [folder, path]) mkdirSync(made);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(path, 'trotline'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(path, 'trotline'), 0o755);
  // As if both packages were installed here.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  const start = (command: string, args: readonly string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile(
        // One pipe for both, so that lines keep the order in which they were printed.
        'sh',
        ['-c', 'exec 2>&1; exec "$0" "$@"', command, ...args],
        {
          cwd: folder,
          timeout: limitMs,
          env: {
            PATH: `${path}:${dirname(process.execPath)}:${process.env['PATH']}`,
            HOME: home,
            TMPDIR: top,
            TROTLINE_HOME: join(home, '.trotline'),
            NO_COLOR: '1',
            COLUMNS: '100',
          },
        },
        (_, printed) => resolve({ code: child.exitCode, printed }),
      );
      child.stdin?.end();
    });

  const save = (block: Block): string => {
    const name = block.file ?? `block-${block.line}.${block.lang}`;
    const file = name.startsWith('~/') ? join(home, name.slice(2)) : join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${block.text}\n`);
    return file;
  };

  for (const block of [...shown].reverse()) if (block.file !== undefined) save(block);
  return {
    folder,
    home,
    save,
    run: async (block) => {
      if (block.lang === 'sh') return start('sh', ['-e', '-c', block.text]);
      const entry = save(block);
      const outfile = `${entry}.mjs`;
      await build({
        entryPoints: [entry],
        outfile,
        bundle: true,
        packages: 'external',
        format: 'esm',
        platform: 'node',
      });
      return start(process.execPath, [outfile]);
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
