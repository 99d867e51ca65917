import type { LinkInfo } from '@trotline/engine';
import type { OwnerState } from '../../host/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { eventNamed } from '../names.ts';
import { openToLook, type WhereOptions } from '../open.ts';
import { linkLegend, linkTable, placeIn } from '../render/links.ts';
import { problemText } from '../render/problems.ts';
import { clean } from '../terminal/clean.ts';
import type { Colors, Io } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

/** `trotline hooks [event]` */
export async function hooks({ io, json }: Context, [event]: readonly string[], options: WhereOptions): Promise<number> {
  if (event !== undefined) eventNamed(event);
  const line = await openToLook(io, options);
  try {
    const links = line.links(event);
    const { owners, problems } = line;
    if (json) {
      io.out(`${JSON.stringify({ links, owners, problems })}\n`);
      return exit.done;
    }
    io.out(
      chains(
        links.map((link) => (isDown(link, owners) ? { ...link, health: 'down' } : link)),
        io,
        line.cwd,
      ),
    );
    io.out(notStanding(owners, io.outColors, line.cwd));
    for (const problem of problems) io.err(problemText(problem, io.errColors));
    return exit.done;
  } finally {
    await line.close();
  }
}

function chains(links: readonly LinkInfo[], io: Io, cwd: string): string {
  if (links.length === 0) return 'No hook stands on the line.\n';
  const c = io.outColors;
  const events = [...new Set(links.map(({ event }) => event))];
  const tables = events.map((event) => {
    const own = links.filter((link) => link.event === event);
    return `${c.bold(event)}\n${linkTable(own, io, cwd)}`;
  });
  return `${tables.join('\n')}\n${linkLegend(c)}`;
}

const reasons: Readonly<Record<OwnerState['state'], string>> = {
  ready: '',
  untrusted: 'not started: the project is not trusted (trotline trust)',
  off: 'switched off',
  failed: 'could not start',
  refused: 'refused: a stronger configuration decides',
};

/** What stands in for a hook that could not start refuses in its place; it is not the hook, and not well. */
const isDown = ({ owner }: LinkInfo, owners: readonly OwnerState[]): boolean =>
  owners.some(({ name, state }) => name === owner.name && state === 'failed');

/** Who is written down and does not stand on the line. */
function notStanding(owners: readonly OwnerState[], c: Colors, cwd: string): string {
  const rows = owners
    .filter(({ state }) => state !== 'ready')
    .map(({ name, layer, state, problem, place }) => [
      clean(name),
      layer,
      (state === 'off' ? c.dim : c.yellow)(clean(problem ?? reasons[state])),
      c.dim(clean(placeIn(place, cwd))),
    ]);
  return rows.length === 0 ? '' : `\n${c.bold('Not on the line')}\n${table(rows, '  ')}`;
}
