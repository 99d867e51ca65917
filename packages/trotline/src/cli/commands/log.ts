import { tools } from '@trotline/engine';
import { unknownTool } from '../../config/index.ts';
import type { DecisionFilter, DecisionRecord, Records, SessionInfo } from '../../records/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { folderOf } from '../open.ts';
import { readCount } from '../options.ts';
import { withRecords } from '../records.ts';
import { callText } from '../render/call.ts';
import { timeText } from '../render/time.ts';
import { sessionOf } from '../session.ts';
import { oneLine } from '../terminal/clean.ts';
import { type Column, grid } from '../terminal/grid.ts';
import type { Colors, Io } from '../terminal/io.ts';

interface Options {
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: DecisionRecord['decision'];
  readonly cwd?: string;
  readonly limit?: string;
}

/** A decision, and the session it was made in where that is stored. */
interface Logged {
  readonly row: DecisionRecord;
  readonly session: SessionInfo | undefined;
}

/** No more is looked through. */
const maxRows = 10_000;

/** `trotline log` */
export async function log({ io, json }: Context, _: readonly string[], options: Options): Promise<number> {
  const limit = readCount('--limit', options.limit) ?? 20;
  const found = await withRecords(io, (records) => find(records, io, options, limit));
  if (json) for (const { row } of found) io.out(`${JSON.stringify(row)}\n`);
  else if (found.length === 0) io.out(`No decision is recorded${nothingOf(options)}.\n`);
  else io.out(grid(columns(found, io.outColors), found, io.room(), io.outColors).text);
  return exit.done;
}

async function find(records: Records, io: Io, options: Options, limit: number): Promise<Logged[]> {
  const folder = options.cwd === undefined ? undefined : folderOf(io, options);
  const filter: DecisionFilter = {
    limit: folder === undefined ? limit : maxRows,
    ...(options.session === undefined ? {} : { session: await sessionId(records, options.session) }),
    ...(options.tool === undefined ? {} : { tool: options.tool }),
    ...(options.decision === undefined ? {} : { decision: options.decision }),
  };
  const rows = await records.decisions.find(filter);
  const sessions = new Map((await records.sessions.list({ limit: maxRows })).map((info) => [info.id, info]));
  const all = rows.map((row) => ({ row, session: row.session === undefined ? undefined : sessions.get(row.session) }));
  return (folder === undefined ? all : all.filter(({ session }) => session?.cwd === folder)).slice(-limit);
}

/** Whoever embeds the line names sessions as they like, and stores none. */
async function sessionId({ decisions, sessions }: Records, named: string): Promise<string> {
  const [decided] = await decisions.find({ session: named, limit: 1 });
  return decided === undefined ? (await sessionOf(sessions, named)).id : named;
}

/** A mistyped tool looks like one that was never called. */
function nothingOf({ tool }: Options): string {
  if (tool === undefined) return '';
  const strange = Object.hasOwn(tools, tool) ? undefined : unknownTool(tool);
  return strange === undefined ? ` of ${oneLine(tool, 60)}` : `; ${oneLine(strange, 200)}`;
}

/** Session and folder have columns where the rows are not all of one. */
function columns(found: readonly Logged[], c: Colors): Column<Logged>[] {
  const several = (of: (logged: Logged) => unknown): boolean => new Set(found.map(of)).size > 1;
  const sessions: Column<Logged>[] = several(({ row }) => row.session)
    ? [{ head: 'session', drop: 3, cell: ({ row }) => (row.session ?? '').slice(0, 8), paint: c.dim }]
    : [];
  const folders: Column<Logged>[] = several(({ session }) => session?.cwd)
    ? [{ head: 'folder', drop: 4, cut: 'start', cell: ({ session }) => session?.cwd ?? '', paint: c.dim }]
    : [];
  const colours = { allow: c.green, ask: c.yellow, deny: c.red, answered: c.cyan };
  return [
    { head: 'when', cell: ({ row }) => timeText(row.at), paint: c.dim },
    { head: 'decision', cell: ({ row }) => row.decision, paint: (text, { row }) => colours[row.decision](text) },
    { head: 'tool', cell: ({ row }) => oneLine(row.tool, 30) },
    {
      head: 'ended',
      drop: 1,
      cell: ({ row }) => (row.state === 'open' ? '' : row.state),
      paint: (text, { row }) => (row.state === 'unknown' ? c.red(text) : c.dim(text)),
    },
    { head: 'by', drop: 2, cell: ({ row }) => `${row.source.kind} ${oneLine(row.source.name, 40)}`, paint: c.dim },
    ...sessions,
    ...folders,
    { head: 'call', cell: ({ row }) => callAndWhy(row) },
  ];
}

function callAndWhy({ tool, input, reason }: DecisionRecord): string {
  const call = callText(tool, input, 200);
  return reason === undefined ? call : `${call} — ${oneLine(reason, 300)}`;
}
