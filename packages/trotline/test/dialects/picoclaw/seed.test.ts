import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import type { ProcessSpec } from '../../../src/dialects/picoclaw/index.ts';
import { fixture, lineWith, tempFolder, until } from './support.ts';

const seeds = process.env['TROTLINE_SEEDS'];

/** The published document, if this machine has it. */
async function seedText(): Promise<string | undefined> {
  if (seeds === undefined) return undefined;
  for (const name of await readdir(seeds)) {
    const text = await readFile(join(seeds, name), 'utf8');
    if (text.includes('review_gate.py')) return text;
  }
  throw new Error(`no document in ${seeds} holds review_gate.py`);
}

/**
 * The configuration and the script of the document, unmodified but for the two paths in /tmp; without the document, the
 * same configuration over a script of our own in the same dialect.
 */
async function reviewGate(): Promise<{ hook: ProcessSpec; log: string; env: Record<string, string | undefined> }> {
  const folder = await tempFolder();
  const log = join(folder, 'hook.log');
  const text = await seedText();
  let script = join(folder, 'review_gate.py');
  let config = {
    hooks: {
      enabled: true,
      processes: {
        py_review_gate: {
          enabled: true,
          priority: 100,
          transport: 'stdio',
          command: ['node', script],
          observe: ['tool_exec_start', 'tool_exec_end', 'tool_exec_skipped'],
          intercept: ['before_tool', 'approve_tool'],
          env: { PICOCLAW_HOOK_LOG_FILE: log },
        },
      },
    },
  };
  if (text === undefined) {
    script = fixture('review-gate.mjs');
    config.hooks.processes.py_review_gate.command = [process.execPath, script];
  } else {
    const python = /#!\/usr\/bin\/env python3\n[\s\S]*?\n {4}main\(\)\n/.exec(text)![0];
    const json = /\{\n {2}"hooks": \{[\s\S]*?\n\}\n/.exec(text)![0];
    await writeFile(script, python);
    config = JSON.parse(json.replace('/tmp/review_gate.py', script).replace(/\/tmp\/[\w.-]+\.log/, log));
  }
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'config.json'), JSON.stringify(config, null, 2));
  const loaded = await loadConfig({
    cwd: folder,
    configFile: 'config.json',
    home: join(folder, 'home'),
    managedFile: join(folder, 'none.json'),
  });
  expect(loaded.problems).toEqual([]);
  const [hook] = loaded.merged.hooks;
  if (hook?.kind !== 'process') throw new Error('the configuration has no process hook');
  // A shim of a version manager would be found first, and takes a third of a second to start.
  const env = {
    ...process.env,
    PATH: existsSync('/usr/bin/python3') ? `/usr/bin:${process.env['PATH']}` : process.env['PATH'],
  };
  return { hook, log, env };
}

describe(`the published review gate${seeds === undefined ? '' : ', taken from its document'}`, () => {
  it.each([
    ['as it is', {}],
    ['under on_error deny', { onError: 'closed' as const }],
  ])('runs %s: it is greeted, sees the call by name, approves it, and reads the events', async (_, policy) => {
    const { hook: written, log, env } = await reviewGate();
    const hook = { ...written, ...policy };
    const folder = await tempFolder();
    const { engine } = await lineWith([hook], { env });
    const made = join(folder, 'made');
    const outcome = await engine.tool(
      { tool: 'Write', input: { file_path: made, content: 'x' } },
      async ({ input }) => {
        await writeFile(String(input['file_path']), String(input['content']));
        return 'written';
      },
    );
    expect(outcome.text).toBe('written');
    expect(await readFile(made, 'utf8')).toBe('x');
    await until(async () => (await readFile(log, 'utf8')).includes('tool_exec_end'));
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'review_gate started',
      'hello: protocol_version=1',
      'before_tool: write_file',
      'approve_tool: write_file → allow',
    ]);
    const events = lines.filter((line) => line.startsWith('event: '));
    expect(events.map((line) => line.split(' ')[1])).toEqual(['tool_exec_start', 'tool_exec_end']);
    for (const line of events) expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({ tool: 'write_file' });
    // Listed exactly: it is never asked about what it does not handle.
    expect(lines.some((line) => line.startsWith('unknown method'))).toBe(false);
  });
});
