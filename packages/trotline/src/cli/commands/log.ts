import type { DecisionFilter, DecisionRecord } from '../../records/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { readCount } from '../options.ts';
import { withRecords } from '../records.ts';
import { callText } from '../render/call.ts';
import { timeText } from '../render/time.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

interface Options {
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: DecisionRecord['decision'];
  readonly limit?: string;
}

/** `trotline log` */
export async function log({ io, json }: Context, _: readonly string[], options: Options): Promise<number> {
  const filter: DecisionFilter = {
    limit: readCount('--limit', options.limit) ?? 20,
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(options.tool === undefined ? {} : { tool: options.tool }),
    ...(options.decision === undefined ? {} : { decision: options.decision }),
  };
  const rows = await withRecords(io, ({ decisions }) => decisions.find(filter));
  if (json) for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
  else if (rows.length === 0) io.out('No decision is recorded.\n');
  else io.out(table(rows.map((row) => decisionRow(row, io.outColors, Math.max(io.columns() - 70, 30)))));
  return exit.done;
}

function decisionRow(row: DecisionRecord, c: Colors, room: number): string[] {
  const colour = { allow: c.green, ask: c.yellow, deny: c.red, answered: c.cyan }[row.decision];
  const why = row.reason === undefined ? '' : c.dim(`  ${oneLine(row.reason, room)}`);
  const ended = row.state === 'unknown' ? c.red('unknown') : row.state === 'open' ? '' : c.dim(row.state);
  return [
    c.dim(String(row.seq)),
    c.dim(timeText(row.at)),
    colour(row.decision),
    oneLine(row.tool, 30),
    ended,
    c.dim(`${row.source.kind} ${oneLine(row.source.name, 40)}`),
    `${callText(row.tool, row.input, room)}${why}`,
  ];
}
