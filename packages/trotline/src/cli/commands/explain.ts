import { type Explanation, TrotlineError, type Verdict } from '@trotline/engine';
import { unknownTool } from '../../config/index.ts';
import type { LineProblem } from '../../host/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { eventNamed, misfits } from '../names.ts';
import { openToLook, standingIn, type WhereOptions } from '../open.ts';
import { deedsOf, denialOf } from '../render/deeds.ts';
import { linkTable } from '../render/links.ts';
import { problemText } from '../render/problems.ts';
import { deedLine } from '../render/trace.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';
import { type Project, projectOf } from '../trust/project.ts';
import { untrustedText } from '../trust/settle.ts';

interface Options extends WhereOptions {
  readonly input?: string;
  readonly run?: boolean;
}

/** `trotline explain <event|tool> [name=value…]` */
export async function explain(
  { io, json }: Context,
  [what = '', ...pairs]: readonly string[],
  options: Options,
): Promise<number> {
  const given = readFields(pairs, options.input);
  // Events have a dot, tools have none.
  const event = what.includes('.') ? eventNamed(what) : 'tool.call';
  const e = what.includes('.') ? given : { tool: what, tool_use_id: 'explain', ...given };
  const warnings = event === 'tool.call' ? callWarnings(e) : [];
  const project = options.config === undefined && options.trust !== true ? await untrusted(io, options) : undefined;
  const line = await openToLook(io, options);
  try {
    const tell = (text: string): void => io.err(`${io.errColors.yellow('!')} ${oneLine(text, 500)}\n`);
    if (!json) for (const warning of warnings) tell(warning);
    if (!json && project !== undefined) tell(untrustedText(project));
    if (!json) for (const problem of line.problems.filter(isFault)) io.err(problemText(problem, io.errColors));
    if (options.run === true)
      io.err('The hooks that match are really asked now. What lies beneath them does not run.\n');
    const explanation = await line.explain(event, e, { run: options.run === true });
    if (json) {
      const missing = project === undefined ? {} : { notTrusted: { file: project.layer.file, state: project.state } };
      io.out(`${JSON.stringify({ ...explanation, warnings, ...missing })}\n`);
    } else io.out(text(explanation, io, line.cwd));
    return exit.done;
  } finally {
    await line.close();
  }
}

/** That a project is not trusted is told in words of its own. */
const isFault = ({ severity, code }: LineProblem): boolean => severity !== 'notice' && !code.startsWith('trust.');

async function untrusted(io: Io, options: Options): Promise<Project | undefined> {
  const project = await projectOf(io.env, standingIn(io, options).cwd);
  return project?.state === 'untrusted' || project?.state === 'changed' ? project : undefined;
}

/** Why nobody would make this call: no such tool, or arguments that it does not take. */
function callWarnings({ tool, tool_use_id: _, agentId: __, ...input }: Readonly<Record<string, unknown>>): string[] {
  if (typeof tool !== 'string') return ['a call names a tool: tool=Bash'];
  const strange = unknownTool(tool);
  if (strange !== undefined) return [strange];
  const wrong = misfits(tool, input);
  return wrong.length === 0 ? [] : [`this is no call that ${tool} takes: ${wrong.join('; ')}`];
}

/** Fields of `e` from `--input` and `name=value`; a value that is JSON counts as such. */
export function readFields(pairs: readonly string[], input: string | undefined): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (input !== undefined) {
    let value: unknown;
    try {
      value = JSON.parse(input);
    } catch (cause) {
      throw new TrotlineError('cli.bad-input', { what: `--input is not JSON: ${(cause as Error).message}`, cause });
    }
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new TrotlineError('cli.bad-input', { what: '--input is no JSON object', expected: 'an object of fields' });
    }
    for (const [name, field] of Object.entries(value)) set(fields, name, field);
  }
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new TrotlineError('cli.bad-input', { what: `"${pair}" is no name=value` });
    set(fields, pair.slice(0, at), plainValue(pair.slice(at + 1)));
  }
  return fields;
}

/** `__proto__` is a field like any other here. */
const set = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
};

function plainValue(text: string): unknown {
  if (!/^(?:-?\d|[[{"]|true$|false$|null$)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function text({ event, links, rules, run }: Explanation, io: Pick<Io, 'outColors' | 'room'>, cwd: string): string {
  const { outColors: c } = io;
  const matching = links.filter(({ matches }) => matches);
  const rest = links.filter(({ matches }) => !matches);
  const many = matching.length === 1 ? 'one hook' : `${matching.length} hooks`;
  const parts = [
    matching.length === 0
      ? `No hook on ${c.bold(event)} matches.\n`
      : `${c.bold(event)} passes ${many}, in this order:\n${linkTable(matching, io, cwd)}`,
  ];
  if (rest.length > 0) {
    const rows = rest.map(({ name, owner, why }) => [
      oneLine(name, 60),
      oneLine(owner.name, 60),
      c.dim(oneLine(why ?? '', 200)),
    ]);
    parts.push(`\nThese do not match:\n${table(rows, '  ')}`);
  }
  if (run !== undefined) {
    const did = deedsOf(run.trace).map((deed) => deedLine(deed, c, 200));
    parts.push(`\nAsked, they did:\n${did.join('')}  ${resultText(run, c)}\n`);
  }
  const verdict = rules?.managed ?? rules?.rules ?? rules?.fallback;
  // What the rules say counts only for a call that comes as far as they are.
  if (verdict !== undefined && denialOf(run?.result) === undefined) {
    const when = run === undefined && matching.length > 0 ? 'If no hook answers or refuses it, the' : 'The';
    parts.push(`\n${when} rules say ${verdictText(verdict, c)}\n`);
  }
  if (run === undefined && matching.length > 0) {
    const they = matching.length === 1 ? 'The hook was not asked: it' : 'The hooks were not asked: they';
    parts.push(`\n${they} may refuse, answer or rewrite it. ${c.bold('--run')} asks, and runs nothing else.\n`);
  }
  return parts.join('');
}

/** What would come of it, in words where it is a refusal or a tool's answer. */
function resultText({ result, error }: NonNullable<Explanation['run']>, c: Io['outColors']): string {
  if (error !== undefined) return c.red(`it would fail: ${oneLine(error, 500)}`);
  const denial = denialOf(result);
  if (denial !== undefined) return c.red(`it would be denied: ${oneLine(denial, 500)}`);
  return `result: ${oneLine(JSON.stringify(result) ?? 'none', 500)}`;
}

function verdictText({ decision, reason, source }: Verdict, c: Io['outColors']): string {
  const colour = { allow: c.green, ask: c.yellow, deny: c.red }[decision];
  return `${colour(decision)}: ${oneLine(reason ?? source.name, 300)}`;
}
