import type { LinkInfo } from '@trotline/engine';
import type { OwnerState } from '../../host/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { openHere, type WhereOptions } from '../open.ts';
import { linkHead, linkRow } from '../render/links.ts';
import { problemText } from '../render/problems.ts';
import { clean } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

/** `trotline hooks [event]` */
export async function hooks({ io, json }: Context, [event]: readonly string[], options: WhereOptions): Promise<number> {
  const line = await openHere(io, options, { tolerant: true });
  try {
    const links = line.links(event);
    const { owners, problems } = line;
    if (json) {
      io.out(`${JSON.stringify({ links, owners, problems })}\n`);
      return exit.done;
    }
    io.out(chains(links, io.outColors, line.cwd));
    io.out(notStanding(owners, io.outColors, line.cwd));
    for (const problem of problems) io.err(problemText(problem, io.errColors));
    return exit.done;
  } finally {
    await line.close();
  }
}

function chains(links: readonly LinkInfo[], c: Colors, cwd: string): string {
  if (links.length === 0) return 'No hook stands on the line.\n';
  const events = [...new Set(links.map(({ event }) => event))];
  return events
    .map((event) => {
      const rows = links.filter((link) => link.event === event).map((link) => linkRow(link, c, cwd));
      return `${c.bold(event)}\n${table([linkHead.map(c.dim), ...rows], '  ')}`;
    })
    .join('\n');
}

const reasons: Readonly<Record<OwnerState['state'], string>> = {
  ready: '',
  untrusted: 'not started: the project is not trusted (trotline trust)',
  off: 'switched off',
  failed: 'could not start',
  refused: 'refused: a stronger configuration decides',
};

/** Who is written down and does not stand on the line. */
function notStanding(owners: readonly OwnerState[], c: Colors, cwd: string): string {
  const rows = owners
    .filter(({ state }) => state !== 'ready')
    .map(({ name, layer, state, problem, place }) => [
      clean(name),
      layer,
      (state === 'off' ? c.dim : c.yellow)(clean(problem ?? reasons[state])),
      c.dim(clean(place.replace(`${cwd}/`, ''))),
    ]);
  return rows.length === 0 ? '' : `\n${c.bold('Not on the line')}\n${table(rows, '  ')}`;
}
