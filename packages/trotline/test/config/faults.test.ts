import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasErrors, type LoadOptions, problemError, problemText } from '../../src/config/index.ts';
import { type Workspace, workspace } from './workspace.ts';

interface Fault {
  /** What is wrong with the configuration. */
  readonly fault: string;
  /** The text of the project's file, or what makes the fault. */
  readonly text?: string;
  readonly make?: (space: Workspace) => Partial<LoadOptions>;
  readonly code: string;
  /** Relative to the workspace. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
  readonly expected?: RegExp;
  readonly remedy: RegExp;
  readonly severity?: 'error' | 'warning';
}

const hook = (body: string): string => `{
  "hooks": {
    "processes": {
      "gate": {
        "enabled": true,
        "command": ["gate"],
        ${body}
      }
    }
  }
}`;

const faults: readonly Fault[] = [
  {
    fault: 'an unknown key',
    text: '{\n  "polcy": {}\n}',
    code: 'config.unknown-key',
    line: 2,
    column: 3,
    key: 'polcy',
    expected: /hooks, policy/,
    remedy: /Did you mean "policy"\?/,
  },
  {
    fault: 'an unknown key deep inside, in another spelling',
    text: hook('"intercept": ["before_tool"],\n        "timeoutMs": 100'),
    code: 'config.unknown-key',
    line: 8,
    column: 9,
    key: 'hooks.processes.gate.timeoutMs',
    remedy: /Did you mean "timeout_ms"\?/,
  },
  {
    fault: 'a string for a list',
    text: '{\n  "hooks": {"processes": {"gate": {\n    "command": "python3 gate.py",\n    "enabled": true, "intercept": ["before_tool"]}}}\n}',
    code: 'config.string-for-list',
    line: 3,
    column: 16,
    key: 'hooks.processes.gate.command',
    expected: /list of strings/,
    remedy: /brackets/,
  },
  {
    fault: 'a file given with --config that does not exist',
    make: () => ({ configFile: 'absent.json' }),
    code: 'config.missing-file',
    file: 'project/absent.json',
    remedy: /Correct the path/,
  },
  {
    fault: 'a file to extend that does not exist',
    text: '{\n  "extends": [\n    "absent.json"\n  ]\n}',
    code: 'config.missing-file',
    line: 3,
    column: 5,
    key: 'extends.0',
    expected: /project\/absent\.json/,
    remedy: /create the file/,
  },
  {
    fault: 'a module that does not exist',
    text: '{ "hooks": { "builtins": { "audit": {\n  "enabled": true,\n  "module": "./absent.ts" } } } }',
    code: 'config.missing-file',
    line: 3,
    column: 13,
    key: 'hooks.builtins.audit.module',
    expected: /project\/absent\.ts/,
    remedy: /create the file/,
  },
  {
    fault: 'two hooks of one name',
    text: '{ "hooks": {\n  "builtins": { "gate": { "enabled": false } },\n  "processes": { "gate": { "enabled": false } } } }',
    code: 'config.duplicate-name',
    line: 3,
    column: 18,
    key: 'hooks.processes.gate',
    expected: /line 2/,
    remedy: /Rename/,
  },
  {
    fault: 'a key given twice',
    text: '{ "hooks": { "processes": {\n  "gate": { "enabled": false },\n  "gate": { "enabled": false } } } }',
    code: 'config.duplicate-name',
    line: 3,
    column: 3,
    key: 'hooks.processes.gate',
    expected: /line 2/,
    remedy: /Rename/,
  },
  {
    fault: 'an event name that does not exist',
    text: hook('"observe": ["turn_start", "tool_exec_strat"]'),
    code: 'config.event-name',
    line: 7,
    column: 35,
    key: 'hooks.processes.gate.observe.1',
    remedy: /Did you mean "tool_exec_start"\?/,
  },
  {
    fault: 'a hook point that does not exist',
    text: hook('"intercept": ["before_tools"]'),
    code: 'config.event-name',
    line: 7,
    column: 23,
    key: 'hooks.processes.gate.intercept.0',
    expected: /before_llm, after_llm/,
    remedy: /Did you mean "before_tool"\?/,
  },
  {
    fault: 'a glob among events',
    text: hook('"observe": ["agent.*"]'),
    code: 'config.event-name',
    line: 7,
    column: 21,
    expected: /whole names/,
    remedy: /one by one/,
  },
  {
    fault: 'a time meant in seconds',
    text: hook('"intercept": ["before_tool"],\n        "timeout": 5'),
    code: 'config.seconds',
    line: 8,
    column: 9,
    key: 'hooks.processes.gate.timeout',
    expected: /"timeout_ms"/,
    remedy: /Write "timeout_ms": 5000\./,
  },
  {
    fault: 'a time in milliseconds that looks like seconds',
    text: hook('"intercept": ["before_tool"],\n        "timeout_ms": 5'),
    code: 'config.short-timeout',
    severity: 'warning',
    line: 8,
    column: 23,
    key: 'hooks.processes.gate.timeout_ms',
    remedy: /write 5000/,
  },
  {
    fault: 'a time as a string',
    text: '{ "hooks": { "defaults": {\n  "approval_timeout_ms": "2m" } } }',
    code: 'config.wrong-type',
    line: 2,
    column: 26,
    expected: /whole number/,
    remedy: /Write 120000\./,
  },
  {
    fault: 'a byte order mark',
    text: '\ufeff{}',
    code: 'config.byte-order-mark',
    severity: 'warning',
    line: 1,
    column: 1,
    remedy: /without|instead of/,
  },
  {
    fault: 'a trailing comma',
    text: '{\n  "policy": { "deny": ["Bash", ] }\n}',
    code: 'config.trailing-comma',
    line: 2,
    column: 30,
    remedy: /Remove the comma/,
  },
  {
    fault: 'a raw tab in a string',
    text: '{\n\t"policy": { "deny": ["Bash:rm\t*"] }\n}',
    code: 'config.control-character',
    line: 2,
    column: 31,
    expected: /\\t/,
    remedy: /Write \\t instead/,
  },
  {
    fault: 'another control character in a string',
    text: '{ "model": "a/\u0001b" }',
    code: 'config.control-character',
    line: 1,
    column: 15,
    remedy: /\\u0001/,
  },
  {
    fault: 'a wrong type deep inside',
    text: hook('"intercept": ["before_tool"],\n        "restart": { "max": "many" }'),
    code: 'config.wrong-type',
    line: 8,
    column: 29,
    key: 'hooks.processes.gate.restart.max',
    expected: /whole number/,
    remedy: /expected type/,
  },
  {
    fault: 'a folder in place of the file',
    make: ({ project }) => {
      mkdirSync(join(project, 'trotline.json'));
      return {};
    },
    code: 'config.unreadable',
    remedy: /regular file/,
  },
  {
    fault: 'an empty file',
    text: '',
    code: 'config.empty',
    line: 1,
    column: 1,
    remedy: /Write \{\}/,
  },
  {
    fault: 'a file with nothing but a comment',
    text: '// later\n',
    code: 'config.empty',
    line: 1,
    column: 1,
    remedy: /Write \{\}/,
  },
  {
    fault: 'files that extend each other in a circle',
    make: (space) => {
      space.write('project/trotline.json', { extends: 'a.json' });
      space.write('project/a.json', '{\n  "extends": "./b.json"\n}');
      space.write('project/b.json', '{\n  "extends": ["a.json"]\n}');
      return {};
    },
    code: 'config.extends-circular',
    file: 'project/b.json',
    line: 2,
    column: 15,
    key: 'extends.0',
    expected: /a\.json extends .*b\.json extends .*a\.json/,
    remedy: /circle/,
  },
  {
    fault: 'text that is not JSON',
    text: '{\n  "policy": { deny: [] }\n}',
    code: 'config.syntax',
    line: 2,
    column: 15,
    expected: /double quotes/,
    remedy: /Correct the text/,
  },
  {
    fault: 'a string that is not closed',
    text: '{\n  "model": "a/b\n}',
    code: 'config.syntax',
    line: 2,
    column: 12,
    remedy: /Close the string/,
  },
  {
    fault: 'bytes that are not UTF-8',
    make: (space) => {
      space.write('project/trotline.json', Buffer.from('{\n  "model": "caf\xe9"\n}', 'latin1'));
      return {};
    },
    code: 'config.encoding',
    line: 2,
    column: 16,
    remedy: /UTF-8/,
  },
  {
    fault: 'UTF-16',
    make: (space) => {
      space.write('project/trotline.json', Buffer.from('\ufeff{}', 'utf16le'));
      return {};
    },
    code: 'config.encoding',
    line: 1,
    remedy: /UTF-8/,
  },
  {
    fault: 'a value that does not exist',
    text: '{ "approvals": {\n  "answered": "chek" } }',
    code: 'config.wrong-value',
    line: 2,
    column: 15,
    expected: /"pass", "check"/,
    remedy: /Did you mean "check"\?/,
  },
  {
    fault: 'a transport that does not exist',
    text: hook('"intercept": ["before_tool"],\n        "transport": "http"'),
    code: 'config.wrong-value',
    line: 8,
    column: 22,
    expected: /"stdio"/,
    remedy: /expected values/,
  },
  {
    fault: 'a process hook without a command',
    text: '{ "hooks": { "processes": {\n  "gate": { "enabled": true, "intercept": ["before_tool"] } } } }',
    code: 'config.missing-value',
    line: 2,
    column: 3,
    expected: /"command"/,
    remedy: /Add/,
  },
  {
    fault: 'a hook that listens to nothing',
    text: hook('"intercept": [], "observe": []'),
    code: 'config.listens-to-nothing',
    line: 4,
    column: 7,
    remedy: /"observe"/,
  },
  {
    fault: 'an observer that is to deny',
    text: hook('"observe": ["*"],\n        "on_error": "deny"'),
    code: 'config.nothing-to-refuse',
    line: 8,
    column: 21,
    remedy: /"continue"/,
  },
  {
    fault: 'a rule in the spelling of Claude Code',
    text: '{ "policy": {\n  "deny": ["Bash(rm:*)"] } }',
    code: 'config.rule-syntax',
    line: 2,
    column: 12,
    key: 'policy.deny.0',
    remedy: /Write "Bash:rm \*"/,
  },
  {
    fault: 'a rule without a tool',
    text: '{ "policy": {\n  "deny": [":rm"] } }',
    code: 'config.rule-syntax',
    line: 2,
    column: 12,
    remedy: /TOOL:pattern/,
  },
  {
    fault: 'a rule object without a tool',
    text: '{ "policy": {\n  "deny": ["Read", { "pattern": "x" }] } }',
    code: 'config.missing-value',
    line: 2,
    column: 20,
    key: 'policy.deny.1.tool',
    remedy: /Add/,
  },
  {
    fault: 'a key that reaches a prototype',
    text: '{ "hooks": { "builtins": {\n  "__proto__": { "enabled": true } } } }',
    code: 'config.reserved-key',
    line: 2,
    column: 3,
    remedy: /another key/,
  },
  {
    fault: 'a managed key in a file that is not managed',
    text: '{\n  "managed": { "managed_hooks_only": true }\n}',
    code: 'config.managed-only',
    line: 2,
    column: 3,
    remedy: /Remove the key/,
  },
  {
    fault: 'a model without a provider',
    text: '{\n  "model": "sonnet"\n}',
    code: 'config.wrong-value',
    line: 2,
    column: 12,
    expected: /provider\/model/,
    remedy: /expected values/,
  },
  {
    fault: 'a list for the whole configuration',
    text: '[]',
    code: 'config.wrong-type',
    line: 1,
    column: 1,
    expected: /an object/,
    remedy: /expected type/,
  },
];

describe('a faulty configuration gives its own code, file, line, column and remedy', () => {
  test.each(faults)('$fault', async (fault) => {
    const space = workspace();
    if (fault.text !== undefined) space.write('project/trotline.json', fault.text);
    const options = fault.make?.(space);
    const loaded = await space.load(options);
    const problem = loaded.problems.find((one) => one.code === fault.code);
    expect(problem, `no ${fault.code} among ${loaded.problems.map(problemText).join('\n')}`).toBeDefined();
    if (problem === undefined) return;
    expect(problem.file).toBe(join(space.root, fault.file ?? 'project/trotline.json'));
    if (fault.line !== undefined) expect(problem.line).toBe(fault.line);
    if (fault.column !== undefined) expect(problem.column).toBe(fault.column);
    if (fault.key !== undefined) expect(problem.key).toBe(fault.key);
    if (fault.expected !== undefined) expect(problem.expected).toMatch(fault.expected);
    expect(problem.remedy).toMatch(fault.remedy);
    expect(problem.severity).toBe(fault.severity ?? 'error');
    expect(hasErrors(loaded)).toBe(problem.severity === 'error');
    // One mistake, one problem: nothing is said about what follows from it.
    expect(loaded.problems.filter((one) => one !== problem).map(problemText)).toEqual([]);
    expect(problemError(problem).message).toBe(problemText(problem));
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a file that may not be read', async () => {
    const space = workspace();
    chmodSync(space.write('project/trotline.json', '{}'), 0o000);
    const [problem] = (await space.load()).problems;
    expect(problem).toMatchObject({ code: 'config.unreadable', what: expect.stringContaining('no permission') });
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe in place of the file is refused without waiting for a writer',
    async () => {
      const space = workspace();
      const pipe = join(space.project, 'trotline.json');
      execFileSync('mkfifo', [pipe]);
      expect((await space.load()).problems).toMatchObject([{ code: 'config.unreadable', file: pipe }]);
    },
  );
});

test('all problems of all files come back at once, file by file from top to bottom', async () => {
  const space = workspace();
  space.write('managed.json', '{ "a": 1 }');
  space.write('home/trotline.json', '{\n  "policy": { "deny": [1, "", 2] },\n  "b": 1\n}');
  space.write(
    'project/trotline.json',
    '{\n  "hooks": { "processes": { "x": { "priority": "p", "env": { "A": 1 } } } },\n "c": 1 }',
  );
  const { problems } = await space.load();
  expect(problems.map(({ layer, line, key }) => [layer, line, key])).toEqual([
    ['managed', 1, 'a'],
    ['person', 2, 'policy.deny.0'],
    ['person', 2, 'policy.deny.1'],
    ['person', 2, 'policy.deny.2'],
    ['person', 3, 'b'],
    ['project', 2, 'hooks.processes.x.priority'],
    ['project', 2, 'hooks.processes.x.env.A'],
    ['project', 3, 'c'],
  ]);
});

test('positions after a byte order mark, with CRLF and behind wide characters are those an editor shows', async () => {
  const space = workspace();
  space.write('project/trotline.json', '\ufeff{\r\n  "a\u00e9\u{1f600}": 1, "zz": 2\r\n}');
  const { problems } = await space.load();
  expect(problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 1],
    [2, 3],
    [2, 14],
  ]);
});

test('a value that may be a secret is not repeated in an error', async () => {
  const space = workspace();
  const secret = 'sk-ant-api03-abcdef';
  space.write('home/trotline.json', {
    model: { name: 'anthropic/x', api_key_env: secret, base_url: `https://user:${secret}@example.com` },
    hooks: { processes: { gate: { enabled: true, command: `gate ${secret}`, env: { KEY: [secret] } } } },
  });
  const { problems, notices } = await space.load();
  expect(problems.map((problem) => problem.key)).toEqual(
    expect.arrayContaining(['model.api_key_env', 'model.base_url', 'hooks.processes.gate.command']),
  );
  expect(JSON.stringify([problems, notices])).not.toContain(secret);
});
