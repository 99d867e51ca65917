import { type InferFields, t } from '../shape.ts';
import { type ArgSpelling, defineTool } from './define.ts';

const seconds: ArgSpelling = {
  as: 'timeout',
  to: (ms) => (typeof ms === 'number' ? Math.ceil(ms / 1000) : ms),
  from: (s) => (typeof s === 'number' ? s * 1000 : s),
};
const text = t.optional(t.string);
const number = t.optional(t.number);
const flag = t.optional(t.boolean);

/** Every tool that some world spells its own way. Names and arguments are Claude's. */
export const tools = {
  Bash: defineTool({
    doc: 'Runs a command in a shell.',
    input: { command: t.string, timeout: number, description: text, run_in_background: flag, cwd: text },
    worlds: {
      picoclaw: [
        {
          tool: 'exec',
          args: { command: 'command', cwd: 'cwd', timeout: seconds },
          fixed: { action: 'run' },
          given: { run_in_background: false },
          silent: ['description'],
        },
        { tool: 'bash', args: { command: 'command' }, given: { run_in_background: false }, silent: ['description'] },
      ],
      openclacky: [
        {
          tool: 'terminal',
          args: { command: 'command', run_in_background: 'background', cwd: 'cwd', timeout: seconds },
          silent: ['description'],
        },
      ],
    },
  }),
  Read: defineTool({
    doc: 'Reads a file, from line `offset` on.',
    input: { file_path: t.string, offset: number, limit: number },
    worlds: {
      picoclaw: [{ tool: 'read_file', args: { file_path: 'path', offset: 'start_line', limit: 'max_lines' } }],
      openclacky: [{ tool: 'file_reader', args: { file_path: 'path', offset: 'start_line', limit: 'max_lines' } }],
    },
  }),
  Write: defineTool({
    doc: 'Writes a file, whatever was there.',
    input: { file_path: t.string, content: t.string },
    worlds: {
      picoclaw: [
        { tool: 'write_file', args: { file_path: 'path', content: 'content' }, fixed: { overwrite: true } },
        { tool: 'write_file', args: { file_path: 'path', content: 'content' } },
      ],
      openclacky: [{ tool: 'write', args: { file_path: 'path', content: 'content' } }],
    },
  }),
  Edit: defineTool({
    doc: 'Replaces a text in a file.',
    input: { file_path: t.string, old_string: t.string, new_string: t.string, replace_all: flag },
    worlds: {
      picoclaw: [
        {
          tool: 'edit_file',
          args: { file_path: 'path', old_string: 'old_text', new_string: 'new_text' },
          given: { replace_all: false },
        },
      ],
      openclacky: [
        {
          tool: 'edit',
          args: {
            file_path: 'path',
            old_string: 'old_string',
            new_string: 'new_string',
            replace_all: 'replace_all',
          },
        },
      ],
    },
  }),
  Glob: defineTool({
    doc: 'Finds files by name.',
    input: { pattern: t.string, path: text },
    worlds: {
      openclacky: [{ tool: 'glob', args: { pattern: 'pattern', path: 'base_path' }, ignored: ['limit'] }],
    },
  }),
  Grep: defineTool({
    doc: 'Finds text in files.',
    input: {
      pattern: t.string,
      path: text,
      glob: text,
      type: text,
      output_mode: text,
      head_limit: number,
      multiline: flag,
      '-i': flag,
      '-n': flag,
      '-A': number,
      '-B': number,
      '-C': number,
    },
    worlds: {
      openclacky: [
        {
          tool: 'grep',
          args: { pattern: 'pattern', path: 'path', glob: 'file_pattern', '-i': 'case_insensitive' },
          given: { multiline: false },
          silent: ['output_mode', 'head_limit', '-n', '-A', '-B', '-C'],
          ignored: ['context_lines', 'max_files', 'max_matches_per_file', 'max_total_matches'],
        },
      ],
    },
  }),
  LS: defineTool({
    doc: 'Lists a folder.',
    input: { path: t.string },
    worlds: { picoclaw: [{ tool: 'list_dir', args: { path: 'path' } }] },
  }),
  Agent: defineTool({
    doc: 'Starts a subagent.',
    input: {
      prompt: t.string,
      description: text,
      subagent_type: text,
      model: text,
      name: text,
      cwd: text,
      run_in_background: flag,
    },
    worlds: {
      picoclaw: [
        {
          tool: 'spawn',
          args: { prompt: 'task', description: 'label', subagent_type: 'agent_id' },
          given: { run_in_background: true },
        },
        {
          tool: 'subagent',
          args: { prompt: 'task', description: 'label', subagent_type: 'agent_id' },
          given: { run_in_background: false },
        },
      ],
    },
  }),
  WebFetch: defineTool({
    doc: 'Fetches a page.',
    input: { url: t.string, prompt: text },
    worlds: {
      picoclaw: [{ tool: 'web_fetch', args: { url: 'url' }, silent: ['prompt'], ignored: ['maxChars'] }],
      openclacky: [{ tool: 'web_fetch', args: { url: 'url' }, silent: ['prompt'], ignored: ['max_length'] }],
    },
  }),
  WebSearch: defineTool({
    doc: 'Searches the web.',
    input: {
      query: t.string,
      allowed_domains: t.optional(t.list(t.string)),
      blocked_domains: t.optional(t.list(t.string)),
    },
    worlds: {
      picoclaw: [{ tool: 'web_search', args: { query: 'query' }, ignored: ['count', 'range'] }],
      openclacky: [{ tool: 'web_search', args: { query: 'query' }, ignored: ['max_results'] }],
    },
  }),
} as const;

export type ToolName = keyof typeof tools;
/** The arguments of each tool of the table. */
export type ToolInputs = { readonly [T in ToolName]: InferFields<(typeof tools)[T]['input']> };
