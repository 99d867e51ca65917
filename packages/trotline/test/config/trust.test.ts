import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { listTrusted, trust, trustState, untrust } from '../../src/config/index.ts';
import { processHook, type Workspace, workspace } from './workspace.ts';

const load = (space: Workspace, more: object = {}) => space.load({ trustOnce: false, ...more });
const stateOf = async (space: Workspace, more: object = {}) =>
  (await load(space, more)).layers.find((one) => one.name === 'project')?.trust;

describe('before trust', () => {
  test('nothing of a project applies, not even what tightens, and it can be looked at', async () => {
    const space = workspace();
    space.write('project/trotline.json', {
      hooks: { processes: { gate: processHook() } },
      policy: { deny: ['Bash'], allow: ['Write'] },
      approvals: { answered: 'check' },
      agent: { tools: [], system: 'obey' },
      model: 'a/b',
    });
    const { merged, layers, problems } = await load(space);
    expect(merged).toEqual((await load(workspace())).merged);
    expect(layers).toMatchObject([
      { trust: 'untrusted', applied: false, hooks: [{ name: 'gate' }], rules: [{ tool: 'Bash' }, { tool: 'Write' }] },
    ]);
    expect(problems).toMatchObject([
      { code: 'trust.untrusted', severity: 'warning', file: join(space.project, 'trotline.json') },
    ]);
  });

  test('trust for one run does not outlive it, nor what is changed during it', async () => {
    const space = workspace();
    space.write('project/trotline.json', { policy: { deny: ['Bash'] } });
    const first = await load(space, { trustOnce: true });
    expect(first.layers).toMatchObject([{ applied: true }]);
    expect(existsSync(join(space.home, 'trust.json'))).toBe(false);
    const { loadConfig } = await import('../../src/config/index.ts');
    expect((await loadConfig(first.options)).layers).toMatchObject([{ applied: true }]);
    space.write('project/trotline.json', { policy: { allow: ['Bash'] } });
    const again = await loadConfig(first.options);
    expect(again.layers).toMatchObject([{ applied: false, trust: 'untrusted' }]);
    expect(again.merged.rules).toEqual([]);
  });
});

describe('trust', () => {
  test('lets a project apply, from any of its folders, and can be taken back', async () => {
    const space = workspace();
    const file = space.write('project/trotline.json', { policy: { deny: ['Bash'] } });
    space.write('project/sub/x', '');
    expect(await trust('sub', { home: space.home, cwd: space.project })).toBe(file);
    const { merged, problems, layers } = await load(space, { cwd: join(space.project, 'sub') });
    expect([merged.rules.length, problems]).toEqual([1, []]);
    const [layer] = layers;
    expect(layer === undefined ? undefined : await trustState(layer, space)).toBe('trusted');
    expect(await listTrusted(space)).toMatchObject([
      { file, files: [file], trustedAt: expect.stringMatching(/^\d{4}-/) },
    ]);
    expect(await untrust(space.project, space)).toBe(true);
    expect(await untrust(file, space)).toBe(false);
    expect(await stateOf(space)).toBe('untrusted');
  });

  test('of a loaded layer is trust in what was loaded, whatever stands there now', async () => {
    const space = workspace();
    space.write('project/trotline.json', { policy: { deny: ['Bash'] } });
    const [shown] = (await load(space)).layers;
    space.write('project/trotline.json', { policy: { allow: ['Bash'] } });
    if (shown !== undefined) await trust(shown, space);
    expect(await stateOf(space)).toBe('changed');
  });

  test('does not pass to a copy of the project', async () => {
    const space = workspace();
    const text = { policy: { deny: ['Bash'] } };
    space.write('project/trotline.json', text);
    await trust(space.project, space);
    space.write('copy/trotline.json', text);
    expect(await stateOf(space, { cwd: join(space.root, 'copy') })).toBe('untrusted');
  });

  const parts: Record<string, object> = {
    'trotline.json': { extends: 'base.json', policy: { ask: ['Read'] } },
    'base.json': {
      hooks: {
        builtins: { audit: { enabled: true, module: 'hooks/audit.ts' } },
        processes: {
          gate: processHook({ command: ['node', 'hooks/gate.mjs', '--flag'] }),
          sh: processHook({ command: ['./run.sh'] }),
        },
      },
      extensions: ['ext'],
      mods: [{ path: 'mod' }],
      settings: ['settings.json'],
    },
  };
  const files: Record<string, string> = {
    'hooks/audit.ts': "import { a } from './lib/a.js';\nexport * from './lib/b';\nexport default a;\n",
    'hooks/lib/a.ts': "const x = await import('./c.mjs');\nexport const a = x;\n",
    'hooks/lib/b/index.ts': 'export const b = 1;\n',
    'hooks/lib/c.mjs': "import data from './d.json' with { type: 'json' };\nexport default data;\n",
    'hooks/lib/d.json': '{}',
    'hooks/gate.mjs':
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nrequire('./old.cjs');\n",
    'hooks/old.cjs': 'module.exports = 1;\n',
    'run.sh': 'echo\n',
    'ext/deep/er/hook.rb': 'x\n',
    'mod/hooks/hooks.json': '{}',
    'settings.json': '{}',
  };
  const everything = [...Object.keys(parts), ...Object.keys(files)];

  test.each(everything)('ends when %s changes, which is named', async (path) => {
    const space = workspace();
    for (const [name, content] of Object.entries({ ...parts, ...files })) space.write(`project/${name}`, content);
    await trust(space.project, space);
    expect(await load(space)).toMatchObject({ problems: [], layers: [{ trust: 'trusted', applied: true }] });
    const full = join(space.project, path);
    writeFileSync(full, `${readFileSync(full, 'utf8')}\n`);
    const { layers, merged, problems } = await load(space);
    expect(layers).toMatchObject([{ trust: 'changed', applied: false, changed: [full] }]);
    expect([merged.hooks, merged.rules]).toEqual([[], []]);
    expect(problems).toMatchObject([{ code: 'trust.changed', what: expect.stringContaining(path) }]);
    await trust(space.project, space);
    expect(await stateOf(space)).toBe('trusted');
  });

  test('ends when a file is added that an import or an extension would take up', async () => {
    const space = workspace();
    for (const [name, content] of Object.entries({ ...parts, ...files })) space.write(`project/${name}`, content);
    await trust(space.project, space);
    const added = space.write('project/ext/new.rb', 'x');
    expect((await load(space)).layers).toMatchObject([{ trust: 'changed', changed: [added] }]);
    rmSync(added);
    const nearer = space.write('project/hooks/lib/b.ts', 'export const b = 2;');
    expect((await load(space)).layers).toMatchObject([{ trust: 'changed', changed: [nearer] }]);
  });

  test('covers what a loader adds', async () => {
    const space = workspace();
    space.write('project/m.mjs', '');
    const data = space.write('project/data.bin', 'one');
    space.write('project/trotline.json', { hooks: { builtins: { m: { enabled: true, module: 'm.mjs' } } } });
    const moduleInputs = async () => [data];
    await trust(space.project, { home: space.home, moduleInputs });
    space.write('project/data.bin', 'two');
    expect((await load(space, { moduleInputs })).layers).toMatchObject([{ trust: 'changed', changed: [data] }]);
  });

  test('is refused for more than it can cover', async () => {
    const space = workspace();
    for (let i = 0; i < 2100; i++) space.write(`project/ext/${i}`, '');
    space.write('project/trotline.json', { extensions: ['ext'] });
    await expect(trust(space.project, space)).rejects.toMatchObject({ code: 'trust.too-many-inputs' });
    const { problems, layers } = await space.load();
    expect(problems).toMatchObject([{ code: 'trust.too-many-inputs', severity: 'error' }]);
    expect(layers).toMatchObject([{ applied: false }]);
  });

  test('of nothing is an error', async () => {
    const space = workspace();
    await expect(trust('absent.json', { home: space.home, cwd: space.project })).rejects.toMatchObject({
      code: 'trust.nothing-to-trust',
    });
  });

  test('from two folders, where commands name different files, covers both', async () => {
    const space = workspace();
    space.write('project/trotline.json', {
      hooks: { processes: { gate: processHook({ command: ['node', 'gate.mjs'] }) } },
    });
    for (const folder of ['a', 'b']) {
      space.write(`project/${folder}/gate.mjs`, folder);
      await trust('.', { home: space.home, cwd: join(space.project, folder) });
    }
    for (const folder of ['a', 'b']) expect(await stateOf(space, { cwd: join(space.project, folder) })).toBe('trusted');
    space.write('project/b/gate.mjs', 'other');
    expect(await stateOf(space, { cwd: join(space.project, 'a') })).toBe('trusted');
    expect(await stateOf(space, { cwd: join(space.project, 'b') })).toBe('changed');
  });
});

describe('the list of trusted projects', () => {
  test.skipIf(process.platform === 'win32')('is for its owner alone, and leaves nothing beside it', async () => {
    const space = workspace();
    space.write('project/trotline.json', '{}');
    await trust(space.project, space);
    expect(statSync(join(space.home, 'trust.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(space.home)).toEqual(['trust.json']);
  });

  test.each([
    ['not JSON', '{"version":1,"projects":{'],
    ['of another shape', '{"version":1,"projects":{"/x":true}}'],
    ['of a later version', '{"version":2,"projects":{}}'],
    ['empty', ''],
  ])('that is %s trusts nothing, is named, and is left as it is', async (_, text) => {
    const space = workspace();
    space.write('project/trotline.json', { policy: { deny: ['Bash'] } });
    const file = space.write('home/trust.json', text);
    const { problems, merged, layers } = await load(space);
    expect(layers).toMatchObject([{ trust: 'untrusted', applied: false }]);
    expect(merged.rules).toEqual([]);
    expect(problems.map((problem) => [problem.code, problem.file, problem.severity])).toContainEqual([
      'trust.store-damaged',
      file,
      'error',
    ]);
    for (const attempt of [
      () => trust(space.project, space),
      () => untrust(space.project, space),
      () => listTrusted(space),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'trust.store-damaged' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.skipIf(process.platform === 'win32')('that others can write is not relied on', async () => {
    const space = workspace();
    space.write('project/trotline.json', '{}');
    await trust(space.project, space);
    chmodSync(join(space.home, 'trust.json'), 0o666);
    expect(await stateOf(space)).toBe('untrusted');
  });

  test('loses no entry when many processes write at once, one of them killed while it holds the lock', async () => {
    const space = workspace();
    const count = 8;
    for (let i = 0; i < count; i++) space.write(`p${i}/trotline.json', `.replace("', ", ''), '{}');
    // The lock of a process that no longer exists.
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.on('exit', resolve));
    space.write('home/trust.json.lock', `${dead.pid} gone`);
    const script = join(space.root, 'trust.mjs');
    await build({
      stdin: {
        contents: `import { trust } from './trust.ts';
          const [home, ...folders] = process.argv.slice(2);
          for (const folder of folders) await trust(folder, { home });`,
        resolveDir: fileURLToPath(new URL('../../src/config', import.meta.url)),
      },
      alias: { '@trotline/engine': fileURLToPath(new URL('../../../engine/src/index.ts', import.meta.url)) },
      external: ['oxc-parser'],
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'esm',
      outfile: script,
    });
    const runs = Array.from({ length: 4 }, (_, part) => {
      const folders = [part * 2, part * 2 + 1].map((i) => join(space.root, `p${i}`));
      const child = spawn(process.execPath, [script, space.home, ...folders], { stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      return new Promise<string>((resolve) => child.on('exit', (code) => resolve(`${code} ${stderr}`)));
    });
    expect(await Promise.all(runs)).toEqual(Array(4).fill('0 '));
    const listed = await listTrusted(space);
    expect(listed.map((one) => one.file)).toEqual(
      Array.from({ length: count }, (_, i) => join(space.root, `p${i}/trotline.json`)),
    );
    expect(readdirSync(space.home)).toEqual(['trust.json']);
  });
});
