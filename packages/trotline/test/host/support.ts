import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ToolOutcome } from '@trotline/engine';
import { type Line, type OpenLineOptions, openLine } from '../../src/host/index.ts';

/** A person with a home, and a project folder, both temporary. */
export interface World {
  readonly home: string;
  readonly project: string;
  readonly managedFile: string;
  file(path: string, content: string | object): string;
  open(options?: OpenLineOptions): Promise<Line>;
  remove(): Promise<void>;
}

export function world(): World {
  const root = mkdtempSync(join(tmpdir(), 'trotline-host-'));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const managedFile = join(root, 'managed.json');
  mkdirSync(home);
  mkdirSync(project);
  const lines: Line[] = [];
  return {
    home,
    project,
    managedFile,
    file: (path, content) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      return file;
    },
    open: async (options = {}) => {
      const line = await openLine({ cwd: project, home, managedFile, ...options });
      lines.push(line);
      return line;
    },
    remove: async () => {
      await Promise.all(lines.map((line) => line.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const run = promisify(execFile);

/** Runs a command through the line as a host would. */
export const bash = (line: Line, command: string): Promise<ToolOutcome> =>
  line.tool({ tool: 'Bash', input: { command } }, async ({ input, signal }) => {
    const ran = await run('sh', ['-c', String(input['command'])], { cwd: line.cwd, signal });
    return ran.stdout;
  });
