import { type Explanation, events, TrotlineError, type Verdict } from '@trotline/engine';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { openHere, type WhereOptions } from '../open.ts';
import { deedsOf } from '../render/deeds.ts';
import { linkHead, linkRow } from '../render/links.ts';
import { deedLine } from '../render/trace.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

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
  const fields = readFields(pairs, options.input);
  const event = eventOf(what);
  const e = event === undefined ? { tool: what, tool_use_id: 'explain', ...fields } : fields;
  const line = await openHere(io, options, { tolerant: true });
  try {
    if (options.run === true) {
      io.err('The hooks that match are really asked now. What lies beneath them does not run.\n');
    }
    const explanation = await line.explain(event ?? 'tool.call', e, { run: options.run === true });
    io.out(json ? `${JSON.stringify(explanation)}\n` : text(explanation, io.outColors, line.cwd));
    return exit.done;
  } finally {
    await line.close();
  }
}

/** An event by its name; undefined for the name of a tool. Events have a dot, tools have none. */
function eventOf(what: string): string | undefined {
  if (Object.hasOwn(events, what)) return what;
  if (what.includes('.')) throw new TrotlineError('cli.unknown-event', { what: `there is no event ${what}` });
  return undefined;
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

function text({ event, links, rules, run }: Explanation, c: Io['outColors'], cwd: string): string {
  const matching = links.filter(({ matches }) => matches);
  const rest = links.filter(({ matches }) => !matches);
  const parts = [
    matching.length === 0
      ? `No hook on ${c.bold(event)} matches.\n`
      : `${c.bold(event)} passes ${matching.length === 1 ? 'one hook' : `${matching.length} hooks`}, in this order:\n${table([linkHead.map(c.dim), ...matching.map((link) => linkRow(link, c, cwd))], '  ')}`,
  ];
  if (rest.length > 0) {
    const rows = rest.map(({ name, owner, why }) => [
      oneLine(name, 60),
      oneLine(owner.name, 60),
      c.dim(oneLine(why ?? '', 200)),
    ]);
    parts.push(`\nThese do not match:\n${table(rows, '  ')}`);
  }
  const verdict = rules?.managed ?? rules?.rules ?? rules?.fallback;
  if (verdict !== undefined) parts.push(`\nThen the rules say ${verdictText(verdict, c)}\n`);
  if (run !== undefined) {
    const did = deedsOf(run.trace).map((deed) => deedLine(deed, c, 200));
    parts.push(`\nAsked, they did:\n${did.join('')}  result: ${oneLine(JSON.stringify(run.result) ?? 'none', 500)}\n`);
  }
  return parts.join('');
}

function verdictText({ decision, reason, source }: Verdict, c: Io['outColors']): string {
  const colour = { allow: c.green, ask: c.yellow, deny: c.red }[decision];
  return `${colour(decision)}: ${oneLine(reason ?? source.name, 300)}`;
}
