import { placeText, type TrotlineError } from '@trotline/engine';
import { type MergedHook, ruleText } from '../../config/index.ts';
import { oneLine, visible } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { type Row, table } from '../terminal/table.ts';
import type { Project } from './project.ts';

/** Of any list and of any text, this much is shown; how much is left out is said. */
const maxRows = 40;
const maxChars = 2_000;

/** What trust in a project would bring, so that the person knows what the yes is for. */
export function offerText(project: Project, broken: readonly TrotlineError[], c: Colors): string {
  const { layer, state, changed, model, system } = project;
  const parts = [
    `${c.bold(oneLine(layer.file, 300))} ${state === 'changed' ? c.yellow('changed since it was trusted') : 'was never trusted'}\n`,
    list(
      'Changed:',
      changed.map((file) => [oneLine(file, 300)]),
    ),
    list(
      'It would run, with your rights:',
      layer.hooks.map((hook) => [oneLine(hook.name, 60), c.dim(hook.kind), oneLine(whatRuns(hook), 200)]),
    ),
    list(
      'It would start these MCP servers, with your rights:',
      layer.mcpServers.map(({ name, command }) => [oneLine(name, 60), oneLine(command.join(' '), 200)]),
    ),
    list(
      'Its rules (a project’s allow lifts no question of yours):',
      layer.rules.map((rule) => [rule.decision, oneLine(ruleText(rule), 120)]),
    ),
  ];
  if (model !== undefined) {
    const server = model.baseUrl === undefined ? '' : `at ${oneLine(model.baseUrl, 200)}`;
    parts.push(list('Your conversations would go to this model:', [[oneLine(model.name, 120), server]]));
  }
  if (system.length > 0) parts.push(`It would tell the model:\n${bounded(system.join('\n'), c)}`);
  parts.push(
    list(
      'The trust covers these files as they are now:',
      Object.keys(layer.inputs).map((file) => [oneLine(file, 300)]),
    ),
  );
  for (const { detail } of broken) {
    const at = placeText(detail);
    parts.push(`${c.yellow('!')} ${at === '' ? '' : `${oneLine(at, 300)}: `}${oneLine(detail.what, 300)}\n`);
  }
  return parts.join('');
}

function list(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const left = rows.length - maxRows;
  return `${title}\n${table(rows.slice(0, maxRows), '  ')}${left > 0 ? `  … and ${left} more\n` : ''}`;
}

function bounded(text: string, c: Colors): string {
  const left = text.length - maxChars;
  const lines = visible(text.slice(0, maxChars)).split('\n');
  const more = left > 0 ? [`… ${left} characters not shown`] : [];
  return [
    ...lines.slice(0, maxRows),
    ...(lines.length > maxRows ? [`… ${lines.length - maxRows} lines not shown`] : more),
  ]
    .map((line) => `  ${c.dim('│')} ${line}\n`)
    .join('');
}

const whatRuns = (hook: MergedHook): string =>
  hook.kind === 'process' ? hook.command.join(' ') : (hook.module ?? 'a builtin of the program');
