import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../../src/config/index.ts';

/** A folder with a home, a managed file's place and a project, all empty. */
export interface Workspace {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly managedFile: string;
  /** Writes a file, objects as JSON; the path is relative to the workspace. Returns the absolute path. */
  write(path: string, content: string | Buffer | object): string;
  link(path: string, target: string): string;
  /** Loads from the project's folder; a project is trusted as it stands unless told otherwise. */
  load(options?: Partial<LoadOptions>): Promise<LoadedConfig>;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A workspace that is removed after the test. */
export function workspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trotline-config-')));
  folders.push(root);
  const home = join(root, 'home');
  const project = join(root, 'project');
  const managedFile = join(root, 'managed.json');
  mkdirSync(project);
  return {
    root,
    home,
    project,
    managedFile,
    write(path, content) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    },
    link(path, target) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync(target, file);
      return file;
    },
    load: (options) => loadConfig({ cwd: project, home, managedFile, env: {}, trustOnce: true, ...options }),
  };
}

/** What a test compares of problems. */
export const codesOf = (loaded: LoadedConfig): string[] =>
  [...loaded.problems, ...loaded.notices].map((problem) => problem.code);

/** A process hook that is complete. */
export const processHook = (more: object = {}): object => ({
  enabled: true,
  command: ['node', 'gate.mjs'],
  intercept: ['before_tool'],
  ...more,
});
