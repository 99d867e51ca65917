import { oneLine } from '../terminal/clean.ts';

/** The argument that tells a reader what a call is about. */
const main: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  Glob: 'pattern',
  Grep: 'pattern',
  Agent: 'description',
};

/** What a call is about, in one line: its main argument, or all of them as JSON. */
export function callText(tool: string, input: Readonly<Record<string, unknown>>, limit: number): string {
  const name = Object.hasOwn(main, tool) ? main[tool] : undefined;
  const value = name === undefined ? undefined : input[name];
  if (typeof value === 'string') return oneLine(value, limit);
  const json = JSON.stringify(input) ?? '';
  return oneLine(json === '{}' ? '' : json, limit);
}
