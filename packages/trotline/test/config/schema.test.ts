import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { jsonSchemaText } from '../../src/config/index.ts';
import { workspace } from './workspace.ts';

const published = fileURLToPath(new URL('../../schema/trotline.schema.json', import.meta.url));

test('the published JSON Schema is the one the files are checked against (write it anew with vitest -u)', async () => {
  await expect(jsonSchemaText()).toMatchFileSnapshot(published);
});

test('every key of the JSON Schema has a description', () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties')
        for (const [name, property] of Object.entries(value as Record<string, { description?: string }>))
          if (property.description === undefined) bare.push(`${path}.${name}`);
      visit(value, `${path}.${key}`);
    }
  };
  visit(JSON.parse(jsonSchemaText()), '');
  expect(bare).toEqual([]);
});

test('a configuration that uses every key has no problems and comes out as written', async () => {
  const space = workspace();
  space.write('home/audit.mjs', 'export const x = 1;\n');
  space.write('home/ext/a.rb', '');
  space.write('home/mod/hooks.json', '{}');
  space.write('home/settings.json', '{}');
  space.write('home/base.json', { policy: { deny: ['WebFetch'] } });
  space.write(
    'home/trotline.json',
    `{
    // Everything there is.
    "$schema": "https://example.com/trotline.schema.json",
    "extends": "base.json",
    "hooks": {
      "enabled": true,
      "defaults": { "observer_timeout_ms": 100, "interceptor_timeout_ms": 200, "approval_timeout_ms": 300, "handshake_timeout_ms": 400 },
      "builtins": { "audit": { "enabled": true, "priority": -1, "module": "./audit.mjs", "worker": "own", "on_error": "abort", "timeout_ms": 1000, "config": { "any": [1] } } },
      "processes": { "gate": {
        "enabled": true, "priority": 2, "transport": "stdio", "command": ["./bin/gate", "--x"], "dir": ".", "env": { "A": "b" }, "env_allow": ["PATH"],
        "observe": ["tool_exec_start", "*"], "intercept": ["before_tool", "approve_tool"], "timeout_ms": 60, "approval_timeout_ms": 70,
        "on_error": "deny", "dialect": "docs", "restart": { "enabled": true, "max": 1, "window_ms": 1000, "backoff_ms": 100 } } }
    },
    "policy": { "allow": ["Read", "mcp__*"], "ask": [{ "tool": "Bash", "pattern": "git *", "reason": "look" }], "deny": [{ "tool": "Write", "match": { "file_path": "/etc/*" } }] },
    "model": { "name": "openai-compatible/x", "base_url": "http://127.0.0.1:1234/v1", "api_key_env": "KEY", "max_output_tokens": 10, "temperature": 0.5, "options": { "a": 1 } },
    "approvals": { "answered": "check", "expire_ms": 1000 },
    "records": { "dir": "records" },
    "extensions": ["./ext"],
    "mods": [{ "path": "./mod", "name": "m", "enabled": false, "worker": true, "on_error": "open", "timeout_ms": 500, "options": { "b": 2 } }],
    "settings": ["./settings.json"],
    "agent": { "max_iterations": 9, "compact_at_tokens": 1000, "parallel_tools": true, "tools": ["Bash"], "system": "Be brief.",
      "mcp_servers": { "files": { "command": ["./bin/files", "--root", "."], "env": { "A": "b" }, "dir": ".", "enabled": false } } }
  }`,
  );
  const { problems, notices, merged } = await space.load();
  expect([problems, notices]).toEqual([[], []]);
  const at = (name: string) => `${space.home}/${name}`;
  expect(merged).toMatchObject({
    hooks: [
      {
        kind: 'builtin',
        name: 'audit',
        enabled: true,
        priority: -1,
        module: at('audit.mjs'),
        worker: 'own',
        onError: 'abort',
        config: { any: [1] },
        layer: 'person',
        place: { file: at('trotline.json'), line: 8 },
        timeouts: { observerMs: 1000, interceptorMs: 1000, approvalMs: 300, handshakeMs: 400 },
      },
      {
        kind: 'process',
        name: 'gate',
        command: [`${space.project}/bin/gate`, '--x'],
        dir: space.project,
        env: { A: 'b' },
        envAllow: ['PATH'],
        observe: ['tool_exec_start', '*'],
        intercept: ['before_tool', 'approve_tool'],
        onError: 'closed',
        dialect: 'docs',
        restart: { enabled: true, max: 1, windowMs: 1000, backoffMs: 100 },
        timeouts: { observerMs: 60, interceptorMs: 60, approvalMs: 70, handshakeMs: 400 },
      },
    ],
    timeouts: { observerMs: 100, interceptorMs: 200, approvalMs: 300, handshakeMs: 400 },
    rules: [
      { decision: 'deny', tool: 'WebFetch', place: { file: at('base.json') } },
      { decision: 'deny', tool: 'Write', match: { file_path: '/etc/*' } },
      { decision: 'ask', tool: 'Bash', pattern: 'git *', reason: 'look' },
      { decision: 'allow', tool: 'Read' },
      { decision: 'allow', tool: 'mcp__*', layer: 'person' },
    ],
    model: {
      name: 'openai-compatible/x',
      baseUrl: 'http://127.0.0.1:1234/v1',
      apiKeyEnv: 'KEY',
      maxOutputTokens: 10,
      temperature: 0.5,
      options: { a: 1 },
    },
    approvals: { answered: 'check', expireMs: 1000 },
    records: { dir: at('records') },
    extensions: [{ name: 'ext', path: at('ext'), enabled: true }],
    mods: [
      { name: 'm', path: at('mod'), enabled: false, worker: true, onError: 'open', timeoutMs: 500, options: { b: 2 } },
    ],
    settings: [{ name: 'settings.json', path: at('settings.json') }],
    agent: {
      maxIterations: 9,
      compactAtTokens: 1000,
      parallelTools: true,
      tools: ['Bash'],
      system: ['Be brief.'],
      mcpServers: [
        {
          name: 'files',
          command: [`${space.project}/bin/files`, '--root', '.'],
          env: { A: 'b' },
          dir: space.project,
          enabled: false,
          layer: 'person',
        },
      ],
    },
  });
});

test('without any file everything has its default', async () => {
  const { layers, merged, problems, notices } = await workspace().load();
  expect([layers, problems, notices]).toEqual([[], [], []]);
  expect(merged).toEqual({
    hooks: [],
    rules: [],
    timeouts: { observerMs: 500, interceptorMs: 5000, approvalMs: 60_000, handshakeMs: 30_000 },
    approvals: { answered: 'pass', expireMs: 604_800_000 },
    records: {},
    agent: { parallelTools: false, system: [], mcpServers: [] },
    extensions: [],
    mods: [],
    settings: [],
    managed: { hooksMayOverrideDeny: false, managedHooksOnly: false, managedModsOnly: false },
  });
});
