import { expect, test } from 'vitest';
import { picoclawEventAliases, picoclawEventKinds } from '../../src/config/index.ts';
import { codesOf, processHook, workspace } from './workspace.ts';

const published = {
  hooks: {
    enabled: true,
    processes: {
      py_review_gate: {
        enabled: true,
        priority: 100,
        transport: 'stdio',
        command: ['python3', '/tmp/review_gate.py'],
        observe: ['tool_exec_start', 'tool_exec_end', 'tool_exec_skipped'],
        intercept: ['before_tool', 'approve_tool'],
        env: { PICOCLAW_HOOK_LOG_FILE: '/tmp/picoclaw-hook-review-gate.log' },
      },
    },
  },
};

test('the example of the PicoClaw documentation is a configuration as it is', async () => {
  const space = workspace();
  space.write('home/trotline.json', published);
  const { problems, merged } = await space.load();
  expect(problems).toEqual([]);
  expect(merged.hooks).toMatchObject([{ name: 'py_review_gate', enabled: true, priority: 100, dir: space.project }]);
});

test('of a PicoClaw config.json the hooks are read, and the rest is named in one line', async () => {
  const space = workspace();
  const file = space.write('project/config.json', {
    agents: { defaults: { model: 'x' } },
    channels: { telegram: { token: 'secret-token' } },
    gateway: {},
    ...published,
  });
  const { problems, notices, merged, layers } = await space.load({ configFile: 'config.json' });
  expect(problems).toEqual([]);
  expect(layers).toMatchObject([{ name: 'flag', kind: 'picoclaw', file, applied: true }]);
  expect(merged.hooks).toMatchObject([
    { name: 'py_review_gate', layer: 'flag', place: { file, key: 'hooks.processes.py_review_gate' } },
  ]);
  expect(notices).toMatchObject([
    { code: 'config.picoclaw-rest', what: expect.stringContaining('agents, channels, gateway') },
  ]);
  expect(JSON.stringify(notices)).not.toContain('secret-token');
});

test('in a PicoClaw file an unknown key is a warning, under strict an error; in ours it is an error', async () => {
  const space = workspace();
  const hooks = { processes: { gate: processHook({ later: 1 }) } };
  space.write('project/config.json', { channels: {}, hooks });
  const lax = await space.load({ configFile: 'config.json' });
  const strict = await space.load({ configFile: 'config.json', strict: true });
  space.write('project/trotline.json', { hooks });
  const ours = await space.load();
  expect([lax, strict, ours].map(({ problems }) => problems.map((one) => [one.code, one.severity, one.key]))).toEqual([
    [['config.unknown-key', 'warning', 'hooks.processes.gate.later']],
    [['config.unknown-key', 'error', 'hooks.processes.gate.later']],
    [['config.unknown-key', 'error', 'hooks.processes.gate.later']],
  ]);
  expect(lax.merged.hooks).toMatchObject([{ name: 'gate', enabled: true }]);
});

test('a file of ours that only mistakes one key is not taken for a PicoClaw file', async () => {
  const space = workspace();
  space.write('home/trotline.json', { tools: [], policy: { deny: ['Bash'] } });
  const { problems, merged } = await space.load();
  expect(problems).toMatchObject([{ code: 'config.unknown-key', key: 'tools', severity: 'error' }]);
  expect(merged.rules).toHaveLength(1);
});

test('there are 45 event kinds and 19 older names, and all of them can be observed', async () => {
  expect(new Set(picoclawEventKinds).size).toBe(45);
  expect(Object.keys(picoclawEventAliases)).toHaveLength(19);
  const space = workspace();
  const observe = [...picoclawEventKinds, ...Object.keys(picoclawEventAliases)];
  space.write('home/trotline.json', { hooks: { processes: { all: processHook({ observe }) } } });
  const { problems, merged } = await space.load();
  expect(problems).toEqual([]);
  expect(merged.hooks).toMatchObject([{ observe }]);
});

test('what PicoClaw accepts silently is accepted, and said', async () => {
  const space = workspace();
  const hook = processHook({ observe: ['*', 'no_such_event'], intercept: ['', 'before_tool'], timeout_ms: 0 });
  space.write('home/trotline.json', { hooks: { defaults: { interceptor_timeout_ms: -1 }, processes: { gate: hook } } });
  const { problems, merged } = await space.load();
  expect(problems.map(({ code, severity, key }) => [code, severity, key]).sort()).toEqual([
    ['config.event-name-unchecked', 'warning', 'hooks.processes.gate.intercept.0'],
    ['config.event-name-unchecked', 'warning', 'hooks.processes.gate.observe.1'],
    ['config.short-timeout', 'warning', 'hooks.defaults.interceptor_timeout_ms'],
    ['config.short-timeout', 'warning', 'hooks.processes.gate.timeout_ms'],
  ]);
  expect(merged.hooks).toMatchObject([
    { intercept: ['before_tool'], timeouts: { interceptorMs: 5000, observerMs: 500 } },
  ]);
});

test('a bad name before the one that selects everything is an error, as in PicoClaw', async () => {
  const space = workspace();
  space.write('home/trotline.json', {
    hooks: { processes: { gate: processHook({ observe: ['no_such_event', 'all'] }) } },
  });
  expect((await space.load()).problems).toMatchObject([{ code: 'config.event-name', severity: 'error' }]);
});

test('a hook that is off may be unfinished: what is wrong with it is a warning', async () => {
  const space = workspace();
  space.write('home/trotline.json', {
    hooks: {
      processes: { gate: { enabled: false, transport: 'http', observe: ['nope'], intercept: ['nope'], dir: 'absent' } },
    },
  });
  const { problems, merged } = await space.load();
  expect(problems.map((one) => one.severity)).toEqual(['warning', 'warning', 'warning', 'warning']);
  expect(merged.hooks).toMatchObject([{ name: 'gate', enabled: false }]);
});

test('a hook without "enabled" does not run, and that is said', async () => {
  const space = workspace();
  space.write('home/trotline.json', { hooks: { processes: { gate: { command: ['x'], intercept: ['before_tool'] } } } });
  const loaded = await space.load();
  expect(codesOf(loaded)).toEqual(['config.not-enabled']);
  expect(loaded.merged.hooks).toMatchObject([{ enabled: false }]);
});
