import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { templates } from '../../src/cli/init/templates.ts';

const folder = mkdtempSync(join(tmpdir(), 'trotline-templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Speaks to a hook as a host does: all requests on stdin, one answer a line. */
function answers(lang: 'python' | 'sh', commands: readonly string[]): Record<string, unknown>[] {
  const file = join(folder, `hook.${lang}`);
  writeFileSync(file, templates[lang].text);
  const requests = [
    { jsonrpc: '2.0', id: 1, method: 'hook.hello', params: { name: 'first-hook', version: 1 } },
    { jsonrpc: '2.0', method: 'hook.runtime_event', params: { kind: 'agent.turn.start', id: 'x' } },
    ...commands.map((command, at) => ({
      jsonrpc: '2.0',
      id: at + 2,
      method: 'hook.before_tool',
      params: { tool: 'exec', arguments: { action: 'run', command } },
    })),
  ];
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const { stdout, status } = spawnSync(lang === 'sh' ? 'sh' : 'python3', [file], { input, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

for (const lang of ['python', 'sh'] as const) {
  test(`the ${lang} hook answers each request once, by its id, and no notification`, () => {
    expect(answers(lang, ['ls']).map(({ id }) => id)).toEqual([1, 2]);
  });

  test(`the ${lang} hook refuses what deletes recursively, however it is quoted, and passes the rest`, () => {
    const commands = [
      'rm -rf build',
      'echo "x"; rm -rf build',
      'rm -r a',
      'ls -la',
      'echo "method":"hook.hello"',
      'rm one',
    ];
    const actions = answers(lang, commands)
      .slice(1)
      .map(({ result }) => (result as { action: string }).action);
    expect(actions).toEqual(['deny_tool', 'deny_tool', 'deny_tool', 'continue', 'continue', 'continue']);
  });
}

test('the shell hook needs neither bash nor jq', () => {
  expect(templates.sh.text).not.toMatch(/jq|\[\[|<\(|\blocal\b/);
  const dash = spawnSync('dash', ['-n'], { input: templates.sh.text });
  if (dash.error === undefined) expect(dash.status).toBe(0);
});
