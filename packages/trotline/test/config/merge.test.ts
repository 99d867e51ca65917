import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codesOf, processHook, workspace } from './workspace.ts';

const one = (name: string, more: object = {}) => ({ processes: { [name]: processHook(more) } });

describe('hooks', () => {
  test('come managed first, then of --config, of the person, of the project; modules before processes, then by name', async () => {
    const space = workspace();
    const module = space.write('home/m.mjs', '');
    space.write('managed.json', { hooks: one('z') });
    space.write('home/trotline.json', {
      hooks: { processes: { b: processHook(), a: processHook() }, builtins: { m: { enabled: true, module } } },
    });
    space.write('project/trotline.json', { hooks: one('A') });
    const { merged } = await space.load();
    expect(merged.hooks.map(({ name, layer }) => [name, layer])).toEqual([
      ['z', 'managed'],
      ['m', 'person'],
      ['a', 'person'],
      ['b', 'person'],
      ['A', 'project'],
    ]);
  });

  test("a project's hook with the name of one of the person's is refused, and the person's stays as it was", async () => {
    const space = workspace();
    const own = space.write('home/trotline.json', { hooks: one('gate', { command: ['mine'], on_error: 'deny' }) });
    const theirs = space.write(
      'project/trotline.json',
      '{ "hooks": { "builtins": {\n  "gate": { "enabled": false } } } }',
    );
    const { merged, problems } = await space.load();
    expect(merged.hooks).toMatchObject([
      { name: 'gate', command: ['mine'], onError: 'closed', enabled: true, place: { file: own } },
    ]);
    expect(problems).toMatchObject([
      {
        code: 'config.project-cannot-replace',
        severity: 'error',
        file: theirs,
        line: 2,
        column: 3,
        what: expect.stringContaining(own),
      },
    ]);
  });

  test("the file of --config replaces the person's hook of the same name, and that is told", async () => {
    const space = workspace();
    space.write('home/trotline.json', { hooks: one('gate', { command: ['mine'] }) });
    space.write('project/other.json', { hooks: one('gate', { command: ['other'] }) });
    const { merged, problems, notices } = await space.load({ configFile: 'other.json' });
    expect(merged.hooks).toMatchObject([{ name: 'gate', command: ['other'], layer: 'flag' }]);
    expect([problems, notices.map((notice) => notice.code)]).toEqual([[], ['config.replaced']]);
  });

  test('nobody replaces a managed hook', async () => {
    const space = workspace();
    space.write('managed.json', { hooks: one('gate', { command: ['managed'] }) });
    space.write('home/trotline.json', { hooks: one('gate', { command: ['mine'] }) });
    space.write('project/other.json', { hooks: one('gate', { command: ['other'] }) });
    const { merged, problems } = await space.load({ configFile: 'other.json' });
    expect(merged.hooks).toMatchObject([{ command: ['managed'], layer: 'managed' }]);
    expect(problems.map((problem) => problem.code)).toEqual(['config.managed-stays', 'config.managed-stays']);
  });

  test.each([
    ['project', ['managed', 'person']],
    ['home', ['managed']],
    ['managed', []],
  ])('"enabled": false in %s leaves only the hooks of %j running', async (where, running) => {
    const space = workspace();
    const write = (layer: string, file: string) =>
      space.write(file, { hooks: { ...(layer === where ? { enabled: false } : {}), ...one(layer) } });
    write('managed', 'managed.json');
    write('home', 'home/trotline.json');
    write('project', 'project/trotline.json');
    const { merged } = await space.load();
    expect(merged.hooks.filter((hook) => hook.enabled).map((hook) => hook.layer)).toEqual(running);
    const off = merged.hooks.filter((hook) => !hook.enabled);
    expect(off).toHaveLength(3 - running.length);
    for (const hook of off) expect(hook.disabledBy?.place).toMatchObject({ key: 'hooks.enabled', line: 1 });
  });

  test('the file of --config can switch hooks on that the person switched off in general', async () => {
    const space = workspace();
    space.write('home/trotline.json', { hooks: { enabled: false } });
    space.write('project/on.json', { hooks: { enabled: true, ...one('a') } });
    space.write('project/silent.json', { hooks: one('a') });
    const runs = async (configFile: string) =>
      (await space.load({ configFile })).merged.hooks.map((hook) => hook.enabled);
    expect([await runs('on.json'), await runs('silent.json')]).toEqual([[true], [false]]);
  });

  test("a project's default times hold for its own hooks only", async () => {
    const space = workspace();
    space.write('managed.json', { hooks: { defaults: { observer_timeout_ms: 900 } } });
    space.write('home/trotline.json', { hooks: { defaults: { approval_timeout_ms: 7000 }, ...one('mine') } });
    space.write('project/trotline.json', {
      hooks: {
        defaults: { interceptor_timeout_ms: 60, observer_timeout_ms: 70, approval_timeout_ms: 80 },
        ...one('theirs'),
      },
    });
    const { merged } = await space.load();
    expect(Object.fromEntries(merged.hooks.map((hook) => [hook.name, hook.timeouts]))).toEqual({
      mine: { observerMs: 900, interceptorMs: 5000, approvalMs: 7000, handshakeMs: 30_000 },
      theirs: { observerMs: 900, interceptorMs: 60, approvalMs: 80, handshakeMs: 30_000 },
    });
    expect(merged.timeouts).toMatchObject({ interceptorMs: 5000 });
  });

  test('what only the managed file may say holds for everyone below', async () => {
    const space = workspace();
    space.write('managed.json', { managed: { managed_hooks_only: true, managed_mods_only: true }, hooks: one('top') });
    mkdirSync(join(space.root, 'home/mod'), { recursive: true });
    space.write('home/trotline.json', { hooks: one('mine'), mods: ['mod'] });
    const { merged, problems } = await space.load();
    expect(merged.hooks.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['top', true],
      ['mine', false],
    ]);
    expect(merged.mods).toMatchObject([{ name: 'mod', enabled: false }]);
    expect(problems.map((problem) => problem.code)).toEqual(['config.managed-stays']);
  });
});

describe('extends', () => {
  test('what stands in a file wins over what it extends; rules follow on', async () => {
    const space = workspace();
    space.write('home/base/a.json', {
      hooks: {
        processes: { gate: processHook({ command: ['base'] }), other: processHook() },
        defaults: { approval_timeout_ms: 100 },
      },
      policy: { deny: ['WebFetch'] },
      agent: { max_iterations: 1, system: 'first' },
    });
    const file = space.write('home/trotline.json', {
      extends: './base/a.json',
      hooks: { ...one('gate', { command: ['mine'] }), defaults: { observer_timeout_ms: 200 } },
      policy: { deny: ['Bash'] },
      agent: { max_iterations: 2, system: 'second' },
    });
    const { merged, problems, layers } = await space.load();
    expect(problems).toEqual([]);
    expect(merged.hooks).toMatchObject([
      { name: 'gate', command: ['mine'], timeouts: { observerMs: 200, approvalMs: 100 } },
      { name: 'other' },
    ]);
    expect(merged.rules.map((rule) => rule.tool)).toEqual(['WebFetch', 'Bash']);
    expect(merged.agent).toMatchObject({ maxIterations: 2, system: ['first', 'second'] });
    expect(layers[0]?.files).toEqual([file, join(space.home, 'base/a.json')]);
  });

  test('a module stands relative to the file that names it, a command and a folder relative to where trotline runs', async () => {
    const space = workspace();
    space.write('project/base/lib/audit.mjs', '');
    mkdirSync(join(space.project, 'sub/work'), { recursive: true });
    space.write('project/base/a.json', { hooks: { builtins: { audit: { enabled: true, module: 'lib/audit.mjs' } } } });
    space.write('project/trotline.json', {
      extends: 'base/a.json',
      hooks: one('gate', { command: ['./bin/x', './y'], dir: 'work' }),
    });
    const { merged, problems } = await space.load({ cwd: join(space.project, 'sub') });
    expect(problems).toEqual([]);
    expect(merged.hooks).toMatchObject([
      { module: join(space.project, 'base/lib/audit.mjs') },
      { command: [join(space.project, 'sub/bin/x'), './y'], dir: join(space.project, 'sub/work') },
    ]);
  });
});

describe('a project does not leave its folder', () => {
  test.each([
    ['extends', { extends: '../outside/base.json' }, 'extends'],
    [
      'a module',
      { hooks: { builtins: { a: { enabled: true, module: '../outside/m.mjs' } } } },
      'hooks.builtins.a.module',
    ],
    ['the folder of a process', { hooks: one('a', { dir: '../outside' }) }, 'hooks.processes.a.dir'],
    ['the folder of the records', { records: { dir: '../outside' } }, 'records.dir'],
    ['records that do not exist yet', { records: { dir: '../outside/new/deep' } }, 'records.dir'],
    ['an extension', { extensions: ['../outside'] }, 'extensions.0'],
    ['a mod', { mods: [{ path: '../outside' }] }, 'mods.0'],
    ['a settings file', { settings: ['../outside/base.json'] }, 'settings.0'],
    [
      'a module behind a link',
      { hooks: { builtins: { a: { enabled: true, module: 'link/m.mjs' } } } },
      'hooks.builtins.a.module',
    ],
    ['a link that is extended', { extends: 'link/base.json' }, 'extends'],
    ['records behind a link', { records: { dir: 'link/new' } }, 'records.dir'],
  ])('%s', async (_, config, key) => {
    const space = workspace();
    space.write('outside/m.mjs', '');
    space.write('outside/base.json', { policy: { allow: ['Bash'] } });
    space.link('project/link', join(space.root, 'outside'));
    space.write('project/trotline.json', config);
    const { merged, problems } = await space.load();
    expect(problems).toMatchObject([{ code: 'config.leaves-root', severity: 'error', key }]);
    expect(merged).toMatchObject({ hooks: [], rules: [], records: {}, extensions: [], mods: [], settings: [] });
    space.write(
      'home/trotline.json',
      JSON.stringify(config).replaceAll('../', `${space.root}/`).replaceAll('link/', `${space.project}/link/`),
    );
    space.write('project/trotline.json', '{}');
    expect((await space.load()).problems).toEqual([]);
  });

  test('a project that is itself reached by a link has its folder where it really is', async () => {
    const space = workspace();
    space.write('project/m.mjs', '');
    space.write('project/trotline.json', { hooks: { builtins: { a: { enabled: true, module: 'm.mjs' } } } });
    const cwd = space.link('way', space.project);
    expect((await space.load({ cwd })).problems).toEqual([]);
  });
});

describe('rules', () => {
  test("are one list, strongest layer first, each with its place, so that a project's allow lifts nothing", async () => {
    const space = workspace();
    const managed = space.write('managed.json', { policy: { deny: ['WebFetch'] } });
    const person = space.write('home/trotline.json', { policy: { allow: ['Read'], ask: ['Bash'] } });
    const project = space.write('project/trotline.json', {
      policy: { allow: ['Bash', 'Write'], deny: ['Read:*.pem'] },
    });
    const { merged, problems } = await space.load({ rules: { allow: ['Bash:ls *'] } });
    expect(
      merged.rules.map(({ decision, tool, pattern, layer, place }) => [decision, tool, pattern, layer, place.file]),
    ).toEqual([
      ['deny', 'WebFetch', undefined, 'managed', managed],
      ['allow', 'Bash', 'ls *', 'flag', undefined],
      ['ask', 'Bash', undefined, 'person', person],
      ['allow', 'Read', undefined, 'person', person],
      ['deny', 'Read', '*.pem', 'project', project],
      ['allow', 'Bash', undefined, 'project', project],
      ['allow', 'Write', undefined, 'project', project],
    ]);
    expect(problems).toMatchObject([
      { code: 'config.project-cannot-loosen', severity: 'warning', file: project, key: 'policy.allow.0' },
      { code: 'config.project-cannot-loosen', severity: 'warning', file: project, key: 'policy.allow.1' },
    ]);
  });

  test('a wrong rule of the command line is named', async () => {
    const { problems } = await workspace().load({ rules: { allow: ['Bash', ''], deny: ['x y'] } });
    expect(problems.map(({ code, key }) => [code, key]).sort()).toEqual([
      ['config.rule-syntax', '--allow'],
      ['config.rule-syntax', '--deny'],
    ]);
  });

  test("the person's allow under a managed deny is told", async () => {
    const space = workspace();
    space.write('managed.json', { policy: { deny: ['*'] } });
    space.write('home/trotline.json', { policy: { allow: ['Bash:ls'] } });
    expect(codesOf(await space.load())).toEqual(['config.managed-stays']);
  });
});

describe('single values', () => {
  const settings = async (files: { managed?: object; person?: object; flag?: object; project?: object }) => {
    const space = workspace();
    if (files.managed !== undefined) space.write('managed.json', files.managed);
    if (files.person !== undefined) space.write('home/trotline.json', files.person);
    if (files.project !== undefined) space.write('project/trotline.json', files.project);
    if (files.flag !== undefined) space.write('flag.json', files.flag);
    return space.load(files.flag === undefined ? {} : { configFile: '../flag.json' });
  };

  test('a project tightens approvals and does not loosen them', async () => {
    const tight = { approvals: { answered: 'check', expire_ms: 1000 } };
    const loose = { approvals: { answered: 'pass', expire_ms: 9000 } };
    const tightened = await settings({ person: loose, project: tight });
    expect(tightened.merged.approvals).toEqual({ answered: 'check', expireMs: 1000 });
    expect(tightened.problems).toEqual([]);
    const refused = await settings({ person: tight, project: loose });
    expect(refused.merged.approvals).toEqual({ answered: 'check', expireMs: 1000 });
    expect(refused.problems.map(({ code, key }) => [code, key])).toEqual([
      ['config.project-cannot-loosen', 'approvals.answered'],
      ['config.project-cannot-loosen', 'approvals.expire_ms'],
    ]);
    const beyondDefault = await settings({ project: { approvals: { expire_ms: 999_999_999_999 } } });
    expect(beyondDefault.merged.approvals.expireMs).toBe(604_800_000);
  });

  test('the person tightens what is managed and does not loosen it; --config stands in for the person', async () => {
    const managed = { approvals: { answered: 'check', expire_ms: 5000 } };
    const loose = await settings({ managed, person: { approvals: { answered: 'pass', expire_ms: 9000 } } });
    expect(loose.merged.approvals).toEqual({ answered: 'check', expireMs: 5000 });
    expect(codesOf(loose)).toEqual(['config.managed-stays', 'config.managed-stays']);
    const tight = await settings({
      managed,
      person: { approvals: { expire_ms: 10 } },
      flag: { approvals: { expire_ms: 20 } },
    });
    expect(tight.merged.approvals.expireMs).toBe(20);
  });

  test('a project cannot send the key or the conversation elsewhere', async () => {
    const model = {
      name: 'openai-compatible/x',
      base_url: 'https://evil.example',
      api_key_env: 'AWS_SECRET',
      options: { a: 1 },
    };
    const { merged, problems } = await settings({ project: { model } });
    expect(merged.model).toMatchObject({ name: 'openai-compatible/x', layer: 'project' });
    expect(Object.keys(merged.model ?? {}).sort()).toEqual(['layer', 'name', 'place']);
    expect(problems.map(({ code, key }) => [code, key])).toEqual([
      ['config.project-cannot-loosen', 'model.base_url'],
      ['config.project-cannot-loosen', 'model.api_key_env'],
      ['config.project-cannot-loosen', 'model.options'],
    ]);
  });

  test('a model that is set stays whole: no part of a weaker one is mixed in', async () => {
    const person = { model: { name: 'a/b', base_url: 'https://mine.example' } };
    const { merged, problems } = await settings({ person, project: { model: { name: 'c/d', temperature: 1 } } });
    expect(merged.model).toMatchObject({ name: 'a/b', baseUrl: 'https://mine.example' });
    expect(merged.model).not.toHaveProperty('temperature');
    expect(problems).toMatchObject([{ code: 'config.project-cannot-loosen', key: 'model' }]);
  });

  test('tools are those every list allows', async () => {
    const { merged, problems } = await settings({
      managed: { agent: { tools: ['Bash', 'Read', 'Edit'] } },
      person: { agent: { tools: ['Read', 'Edit', 'WebFetch'] } },
      project: { agent: { tools: ['Edit', 'Bash'] } },
    });
    expect(merged.agent.tools).toEqual(['Edit']);
    expect(problems.map(({ code, layer, what }) => [code, layer, what.split(': ')[1]])).toEqual([
      ['config.managed-stays', undefined, 'WebFetch'],
      ['config.project-cannot-loosen', undefined, 'Bash'],
    ]);
  });

  test("a project may keep records of its own, and does not move the person's", async () => {
    const own = await settings({ project: { records: { dir: 'logs' } } });
    expect(own.merged.records).toEqual({ dir: expect.stringMatching(/project\/logs$/) });
    const refused = await settings({ person: { records: { dir: 'r' } }, project: { records: { dir: 'logs' } } });
    expect(refused.merged.records).toEqual({ dir: expect.stringMatching(/home\/r$/) });
    expect(codesOf(refused)).toEqual(['config.project-cannot-loosen']);
  });
});

describe('where files are found', () => {
  test('the nearest file above counts, and only that', async () => {
    const space = workspace();
    space.write('project/trotline.json', { policy: { deny: ['Outer'] } });
    const inner = space.write('project/a/trotline.json', { policy: { deny: ['Inner'] } });
    mkdirSync(join(space.project, 'a/b/c'), { recursive: true });
    const { merged, layers } = await space.load({ cwd: join(space.project, 'a/b/c') });
    expect(layers.map((layer) => layer.file)).toEqual([inner]);
    expect(merged.rules.map((rule) => rule.tool)).toEqual(['Inner']);
  });

  test('a broken link of that name is an error, not passed over for a file above', async () => {
    const space = workspace();
    space.write('trotline.json', '{}');
    const file = space.link('project/trotline.json', 'gone.json');
    expect((await space.load()).problems).toMatchObject([{ code: 'config.missing-file', file }]);
  });

  test("the person's own file is not also a project's, whatever the way to it", async () => {
    const space = workspace();
    space.write('home/trotline.json', { policy: { deny: ['Bash'] } });
    space.link('project/trotline.json', '../home/trotline.json');
    for (const cwd of [space.home, space.project]) {
      const { layers } = await space.load({ cwd });
      expect(layers.map((layer) => layer.name)).toEqual(['person']);
    }
  });

  test('TROTLINE_HOME names the state folder', async () => {
    const space = workspace();
    space.write('elsewhere/trotline.json', { policy: { deny: ['Bash'] } });
    const { loadConfig } = await import('../../src/config/index.ts');
    const env = { TROTLINE_HOME: join(space.root, 'elsewhere') };
    const loaded = await loadConfig({ cwd: space.project, managedFile: space.managedFile, env });
    expect([loaded.home, loaded.merged.rules.length]).toEqual([env.TROTLINE_HOME, 1]);
  });

  test('with --config no project is searched, and the file needs no trust', async () => {
    const space = workspace();
    space.write('project/trotline.json', { policy: { deny: ['Bash'] } });
    const file = space.write('x.json', { policy: { deny: ['Read'] } });
    const { layers, merged } = await space.load({ configFile: '../x.json', trustOnce: false });
    expect(layers).toMatchObject([{ name: 'flag', file, trust: 'not-needed', applied: true }]);
    expect(merged.rules.map((rule) => rule.tool)).toEqual(['Read']);
  });
});

test('a rule for a tool that is not known is a warning with the name that was meant, and counts all the same', async () => {
  const space = workspace();
  const file = space.write('home/trotline.json', { policy: { deny: ['Raed:*.pem', 'mcp__any__tool', 'Re?d'] } });
  const { merged, problems } = await space.load();
  expect(merged.rules.map(({ tool }) => tool)).toEqual(['Raed', 'mcp__any__tool', 'Re?d']);
  expect(problems).toMatchObject([{ code: 'config.unknown-tool', severity: 'warning', file, key: 'policy.deny.0' }]);
  expect(problems[0]?.what).toContain('Read');
});
