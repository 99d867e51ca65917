import { relative } from 'node:path';
import type { LinkInfo } from '@trotline/engine';
import { type Column, grid } from '../terminal/grid.ts';
import type { Io } from '../terminal/io.ts';

/** Links as a table that fits the screen, and beneath it what its words mean; places within `cwd` are relative to it. */
export function linkTable(
  links: readonly LinkInfo[],
  { outColors: c, room }: Pick<Io, 'outColors' | 'room'>,
  cwd: string,
  withEvent = false,
): string {
  const { text, dropped } = grid(columns(c, cwd, withEvent), links, room(), c, '  ');
  const gone = dropped.length === 0 ? '' : `${c.dim(`  no room for: ${dropped.join(', ')}`)}\n`;
  return text + gone;
}

/** What stands in the columns of `linkTable`, for who sees it the first time. */
export const linkLegend = (c: Io['outColors']): string =>
  c.dim(
    [
      'Outermost first. prio: the smaller is further out. on failure: closed refuses, ask asks you, open goes on without',
      'the hook. budget: its own time for one call. realm: where its code runs. --json has all of it.\n',
    ].join('\n'),
  );

function columns(c: Io['outColors'], cwd: string, withEvent: boolean): Column<LinkInfo>[] {
  const event: Column<LinkInfo> = { head: 'event', cell: (link) => link.event };
  return [
    ...(withEvent ? [event] : []),
    { head: '#', cell: ({ order }) => String(order) },
    { head: 'hook', cell: nameOf, paint: c.bold },
    { head: 'tier', drop: 2, cell: ({ owner }) => (owner.tier === 'user' ? `user/${owner.source}` : owner.tier) },
    { head: 'lane', drop: 1, cell: ({ owner }) => owner.lane },
    { head: 'prio', drop: 6, cell: ({ priority }) => String(priority) },
    { head: 'on failure', cell: (link) => (link.hasCatch ? `${link.onFailure} + catch` : link.onFailure) },
    { head: 'budget', drop: 4, cell: ({ budgetMs }) => timeLeft(budgetMs) },
    { head: 'realm', drop: 3, cell: ({ owner }) => owner.realm },
    {
      head: 'health',
      cell: ({ health, failures, calls }) => (failures > 0 ? `${health} ${failures}/${calls} failed` : health),
      paint: (text, { health }) => (health === 'ok' ? c.green(text) : c.red(text)),
    },
    {
      head: 'place',
      cut: 'start',
      cell: ({ owner }) => placeIn(owner.place ?? '', cwd).replace(/ \(.*$/s, ''),
      paint: c.dim,
    },
  ];
}

function nameOf({ owner, name, half, event, pattern }: LinkInfo): string {
  const whose = name === owner.name ? name : `${owner.name}/${name}`;
  const which = half === undefined ? whose : `${whose} (${half})`;
  return pattern === event ? which : `${which} on ${pattern}`;
}

const timeLeft = (ms: number): string => (ms === 0 ? 'none' : ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`);

/** A place as somebody who stands in `cwd` would write it, where that is shorter. */
export function placeIn(place: string, cwd: string): string {
  const [, file = '', rest = ''] = /^(.*?)((?::\d+)*(?: \(.*\))?)$/s.exec(place) ?? [];
  const near = relative(cwd, file);
  return file === '' || near.startsWith('..') ? place : `${near}${rest}`;
}
