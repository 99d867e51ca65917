import { resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { readCount } from '../options.ts';
import { withRecords } from '../records.ts';
import { rowText } from '../render/rows.ts';
import { timeText } from '../render/time.ts';
import { sessionOf } from '../session.ts';
import { oneLine } from '../terminal/clean.ts';
import { table } from '../terminal/table.ts';

/** `trotline sessions list` */
export async function list(
  { io, json }: Context,
  _: readonly string[],
  options: { readonly cwd?: string; readonly limit?: string },
): Promise<number> {
  await withRecords(io, async ({ sessions }) => {
    const found = await sessions.list({
      limit: readCount('--limit', options.limit) ?? 20,
      ...(options.cwd === undefined ? {} : { cwd: resolve(io.cwd, options.cwd) }),
    });
    if (json) for (const session of found) io.out(`${JSON.stringify(session)}\n`);
    else if (found.length === 0) io.out('No session is stored.\n');
    else {
      const { outColors: c } = io;
      const rows = found.map(({ id, updatedAt, rows, cwd, title }) => [
        id,
        c.dim(timeText(updatedAt)),
        `${rows} rows`,
        c.dim(oneLine(cwd, 60)),
        oneLine(title, 80),
      ]);
      io.out(table(rows));
    }
  });
  return exit.done;
}

/** `trotline sessions show <id>` */
export async function show({ io, json }: Context, [id = '']: readonly string[]): Promise<number> {
  await withRecords(io, async ({ sessions }) => {
    const info = await sessionOf(sessions, id);
    const session = await sessions.load(info.id);
    if (session === undefined) throw new TrotlineError('cli.no-session', { what: `there is no session ${id}` });
    if (json) {
      io.out(`${JSON.stringify(session)}\n`);
      return;
    }
    const { outColors: c } = io;
    io.out(`${c.bold(session.info.id)}  ${timeText(session.info.createdAt)}  ${c.dim(session.info.cwd)}\n`);
    for (const { row } of session.rows) io.out(rowText(row, c));
  });
  return exit.done;
}
