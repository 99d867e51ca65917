import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MergedConfig } from '../../src/config/index.ts';
import { workspace } from './workspace.ts';

const names = fc.constantFrom('gate', 'audit', 'mine', 'other', 'zeta');
const time = fc.integer({ min: -5, max: 100_000 });
const flag = fc.boolean();
const onError = fc.constantFrom('continue', 'deny', 'abort', 'ask', 'open', 'closed');
const some = { requiredKeys: [] };
const tool = fc.constantFrom('Bash', 'Read', 'Write', '*', 'mcp__*');
const rule = fc.oneof(
  tool,
  tool.map((name) => `${name}:rm *`),
  fc.record({ tool, match: fc.dictionary(fc.constantFrom('command', 'path'), fc.constantFrom('x*', '*')) }),
);
const rules = fc.array(rule, { maxLength: 4 });
const paths = fc.constantFrom('a', 'b', '../home/a', '../outside', 'link/x');
const process = fc.record(
  {
    enabled: flag,
    priority: fc.integer({ min: -1000, max: 1000 }),
    command: fc.constant(['x']),
    intercept: fc.constant(['approve_tool']),
    timeout_ms: time,
    on_error: onError,
    dir: paths,
  },
  some,
);
const sources = fc.array(
  fc.oneof(paths, fc.record({ path: paths, name: names, enabled: flag }, { requiredKeys: ['path'] })),
  { maxLength: 3 },
);
const defaults = fc.record(
  { observer_timeout_ms: time, interceptor_timeout_ms: time, approval_timeout_ms: time, handshake_timeout_ms: time },
  some,
);
const config = fc.record(
  {
    extends: paths,
    hooks: fc.record(
      {
        enabled: flag,
        defaults,
        builtins: fc.dictionary(names, fc.record({ enabled: flag, module: paths, priority: time }, some)),
        processes: fc.dictionary(names, process),
      },
      some,
    ),
    policy: fc.record({ allow: rules, ask: rules, deny: rules }, some),
    model: fc.oneof(
      fc.constantFrom('a/b', 'c/d'),
      fc.record(
        { name: fc.constant('e/f'), base_url: fc.webUrl(), api_key_env: fc.constant('K') },
        { requiredKeys: ['name'] },
      ),
    ),
    approvals: fc.record(
      { answered: fc.constantFrom('pass', 'check'), expire_ms: fc.integer({ min: 1, max: 1e12 }) },
      some,
    ),
    records: fc.record({ dir: paths }, some),
    extensions: sources,
    mods: sources,
    settings: sources,
    agent: fc.record(
      {
        max_iterations: fc.integer({ min: 1, max: 50 }),
        compact_at_tokens: fc.integer({ min: 1, max: 1e6 }),
        parallel_tools: flag,
        tools: fc.array(tool, { maxLength: 3 }),
        system: fc.constant('hello'),
        mcp_servers: fc.dictionary(
          fc.constantFrom('a', 'b', 'a__b', '__proto__'),
          fc.record({ command: fc.constantFrom(['x'], [], ['./y', 'z']), enabled: flag, dir: paths }, some),
        ),
      },
      some,
    ),
    managed: fc.record({ hooks_may_override_deny: flag, managed_hooks_only: flag, managed_mods_only: flag }, some),
  },
  some,
);

/** Everything that must hold between what ran without a layer and what runs with it. */
function expectNoLooser(before: MergedConfig, after: MergedConfig): void {
  // Hooks and sources: those that were there are there, unchanged and in their order, before all that came in.
  for (const list of ['hooks', 'rules', 'extensions', 'mods', 'settings'] as const) {
    expect(after[list].slice(0, before[list].length)).toEqual(before[list]);
    for (const added of after[list].slice(before[list].length)) expect(added.layer).toBe('project');
  }
  expect(after.timeouts).toEqual(before.timeouts);
  expect(after.managed).toEqual(before.managed);
  if (before.model !== undefined) expect(after.model).toEqual(before.model);
  else
    expect([after.model?.baseUrl, after.model?.apiKeyEnv, after.model?.options]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  expect(after.approvals.expireMs).toBeLessThanOrEqual(before.approvals.expireMs);
  if (before.approvals.answered === 'check') expect(after.approvals.answered).toBe('check');
  const { agent } = after;
  expect(agent.maxIterations ?? Infinity).toBeLessThanOrEqual(before.agent.maxIterations ?? Infinity);
  if (!before.agent.parallelTools) expect(agent.parallelTools).toBe(false);
  const allowed = before.agent.tools;
  if (allowed !== undefined) for (const one of agent.tools ?? ['any']) expect(allowed).toContain(one);
  if (before.agent.compactAtTokens !== undefined) expect(agent.compactAtTokens).toBe(before.agent.compactAtTokens);
  expect(agent.system.slice(0, before.agent.system.length)).toEqual(before.agent.system);
  if (before.records.dir !== undefined) expect(after.records.dir).toBe(before.records.dir);
  const servers = before.agent.mcpServers;
  expect(agent.mcpServers.slice(0, servers.length)).toEqual(servers);
  for (const added of agent.mcpServers.slice(servers.length)) expect(added.layer).toBe('project');
}

test('whatever a trusted project says, nothing above it is loosened; untrusted, it changes nothing at all', async () => {
  const space = workspace();
  for (const folder of ['project/a/x', 'project/b/x', 'home/a/x', 'home/b/x', 'outside/x']) space.write(folder, '');
  space.link('project/link', '../outside');
  await fc.assert(
    fc.asyncProperty(config, config, config, async (managed, person, project) => {
      space.write('managed.json', managed);
      space.write('home/trotline.json', { ...person, managed: undefined });
      space.write('project/trotline.json', '{}');
      const before = await space.load();
      space.write('project/trotline.json', project);
      expectNoLooser(before.merged, (await space.load()).merged);
      expect((await space.load({ trustOnce: false })).merged).toEqual(before.merged);
    }),
    { numRuns: 120 },
  );
}, 120_000);

test('whatever the person says, nothing managed is loosened', async () => {
  const space = workspace();
  await fc.assert(
    fc.asyncProperty(config, config, async (managed, person) => {
      space.write('managed.json', managed);
      space.write('home/trotline.json', '{}');
      const before = (await space.load()).merged;
      space.write('home/trotline.json', person);
      const after = (await space.load()).merged;
      for (const list of ['hooks', 'rules', 'extensions', 'mods', 'settings'] as const)
        expect(after[list].slice(0, before[list].length)).toEqual(before[list]);
      expect(after.managed).toEqual(before.managed);
      if (before.model !== undefined) expect(after.model).toEqual(before.model);
      if (managed.approvals?.answered === 'check') expect(after.approvals.answered).toBe('check');
      if (managed.approvals?.expire_ms !== undefined)
        expect(after.approvals.expireMs).toBeLessThanOrEqual(managed.approvals.expire_ms);
      if (after.managed.managedHooksOnly)
        expect(after.hooks.filter((hook) => hook.enabled && hook.layer !== 'managed')).toEqual([]);
    }),
    { numRuns: 80 },
  );
}, 120_000);
