import { describe, expect, test } from 'vitest';
import { namesOf, spell, type ToolWorld, unspell } from '../../src/index.ts';

type Input = Record<string, unknown>;
type Case = [world: ToolWorld, tool: string, input: Input, theirs: string, spelled: Input];

/** Canonical calls and how each world spells them. */
const both: Case[] = [
  [
    'picoclaw',
    'Bash',
    { command: 'ls', cwd: '/x', timeout: 30_000 },
    'exec',
    { action: 'run', command: 'ls', cwd: '/x', timeout: 30 },
  ],
  [
    'picoclaw',
    'Read',
    { file_path: 'a', offset: 3, limit: 5 },
    'read_file',
    { path: 'a', start_line: 3, max_lines: 5 },
  ],
  ['picoclaw', 'Write', { file_path: 'a', content: 'x' }, 'write_file', { path: 'a', content: 'x', overwrite: true }],
  [
    'picoclaw',
    'Edit',
    { file_path: 'a', old_string: 'x', new_string: 'y' },
    'edit_file',
    { path: 'a', old_text: 'x', new_text: 'y' },
  ],
  ['picoclaw', 'LS', { path: 'a' }, 'list_dir', { path: 'a' }],
  ['picoclaw', 'WebSearch', { query: 'q' }, 'web_search', { query: 'q' }],
  [
    'picoclaw',
    'Agent',
    { prompt: 'p', description: 'd', subagent_type: 't' },
    'subagent',
    { task: 'p', label: 'd', agent_id: 't' },
  ],
  ['picoclaw', 'Agent', { prompt: 'p', run_in_background: true }, 'spawn', { task: 'p' }],
  ['openclacky', 'Bash', { command: 'ls', run_in_background: true }, 'terminal', { command: 'ls', background: true }],
  ['openclacky', 'Read', { file_path: 'a', offset: 3 }, 'file_reader', { path: 'a', start_line: 3 }],
  ['openclacky', 'Write', { file_path: 'a', content: 'x' }, 'write', { path: 'a', content: 'x' }],
  [
    'openclacky',
    'Edit',
    { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
    'edit',
    { path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  ['openclacky', 'Glob', { pattern: '*', path: 'a' }, 'glob', { pattern: '*', base_path: 'a' }],
  [
    'openclacky',
    'Grep',
    { pattern: 'x', glob: '*.ts', '-i': true },
    'grep',
    { pattern: 'x', file_pattern: '*.ts', case_insensitive: true },
  ],
];

describe.each(both)('%s spells %s %j', (world, tool, input, theirs, spelled) => {
  test('its own way', () => {
    expect(spell(world, { tool, input })).toEqual({ tool: theirs, input: spelled });
  });
  test('and is read back', () => {
    expect(unspell(world, theirs, spelled)).toEqual({ tool, input });
  });
});

describe('a call that a world cannot spell whole', () => {
  test.each([
    ['picoclaw', 'Bash', { command: 'ls', run_in_background: true }],
    ['picoclaw', 'Edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }],
    ['picoclaw', 'Glob', { pattern: '*' }],
    ['openclacky', 'Grep', { pattern: 'x', multiline: true }],
    ['openclacky', 'Bash', { command: 'ls', something: 'new' }],
  ] as [ToolWorld, string, Input][])(
    '%s %s %j keeps its canonical name, all its arguments and a code',
    (world, tool, input) => {
      expect(spell(world, { tool, input })).toEqual({ tool, input, code: 'engine.no-spelling' });
    },
  );
});

test('a tool of nobody’s table has one name everywhere', () => {
  const call = { tool: 'mcp__github__search', input: { tool: 1, query: 'x' } };
  expect(spell('picoclaw', call)).toEqual(call);
  expect(unspell('openclacky', call.tool, call.input)).toEqual(call);
  expect(spell('picoclaw', { tool: 'constructor', input: {} })).toEqual({ tool: 'constructor', input: {} });
});

test('what a spelling leaves out is put back on the way back', () => {
  const input = { command: 'ls', description: 'lists files' };
  const spelled = spell('picoclaw', { tool: 'Bash', input });
  expect(spelled.input).not.toHaveProperty('description');
  const rewritten = { ...spelled.input, command: 'ls -l' };
  expect(unspell('picoclaw', spelled.tool, rewritten, input)).toEqual({
    tool: 'Bash',
    input: { command: 'ls -l', description: 'lists files' },
  });
});

test('the short name that PicoClaw’s documents write is read too', () => {
  expect(unspell('picoclaw', 'bash', { command: 'ls' })).toEqual({ tool: 'Bash', input: { command: 'ls' } });
});

test('arguments without a canonical name keep the world’s spelling, with a code', () => {
  const input = { session_id: 's', input: 'y\n' };
  expect(unspell('openclacky', 'terminal', input)).toEqual({ tool: 'terminal', input, code: 'engine.no-spelling' });
});

test('a tool is known by all its names', () => {
  expect(namesOf('Bash')).toEqual(['Bash', 'exec', 'bash', 'terminal']);
  expect(namesOf('Nope')).toEqual(['Nope']);
});
