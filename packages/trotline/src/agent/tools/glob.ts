import { stat } from 'node:fs/promises';
import picomatch from 'picomatch';
import { z } from 'zod';
import { defineTool } from './define.ts';
import { absolute, toolFailure } from './files.ts';
import type { Tool } from './types.ts';
import { walk } from './walk.ts';

const maxFiles = 200;

/** `Glob`: files by name, the last changed first. */
export function createGlob(): Tool {
  return defineTool({
    name: 'Glob',
    description:
      'Finds files by a pattern such as **/*.ts or src/**/{a,b}.json, the last changed first. What .gitignore names, ' +
      'node_modules and .git are left out.',
    isReadOnly: true,
    input: z.object({
      pattern: z.string().min(1).max(1_000),
      path: z.string().optional().describe('The folder to search; the working directory unless given'),
    }),
    async run({ pattern, path }, { cwd, signal }) {
      const started = performance.now();
      const root = absolute(cwd, path ?? '.');
      const fits = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
      const found: { readonly path: string; readonly mtime: number }[] = [];
      const files = walk(root, signal);
      let cut = false;
      for (;;) {
        const next = await files.next().catch((error: Error) => {
          signal.throwIfAborted();
          throw toolFailure(`${root} cannot be searched: ${error.message}`);
        });
        if (next.done === true) {
          cut = next.value;
          break;
        }
        if (!fits(next.value.relative)) continue;
        const stats = await stat(next.value.path).catch(() => undefined);
        if (stats?.isFile()) found.push({ path: next.value.path, mtime: stats.mtimeMs });
      }
      found.sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? -1 : 1));
      const filenames = found.slice(0, maxFiles).map((file) => file.path);
      const truncated = cut || found.length > maxFiles;
      const note = truncated
        ? `\n[${filenames.length} of ${cut ? 'many' : found.length} shown; use a narrower pattern]`
        : '';
      return {
        result: {
          durationMs: Math.round(performance.now() - started),
          numFiles: filenames.length,
          filenames,
          truncated,
        },
        text: filenames.length === 0 ? `No files found${note}` : `${filenames.join('\n')}${note}`,
      };
    },
  });
}
