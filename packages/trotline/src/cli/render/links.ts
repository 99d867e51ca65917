import type { LinkInfo } from '@trotline/engine';
import { clean } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import type { Row } from '../terminal/table.ts';

/** The head of a table of links. */
export const linkHead: Row = [
  '#',
  'hook',
  'owner',
  'tier',
  'lane',
  'prio',
  'on failure',
  'budget',
  'realm',
  'health',
  'place',
];

/** One link as a row beneath `linkHead`; places within `cwd` are shown relative to it. */
export function linkRow(link: LinkInfo, c: Colors, cwd: string): Row {
  const { owner } = link;
  const health = link.health === 'ok' ? c.green('ok') : c.red(link.health);
  const name = link.half === undefined ? link.name : `${link.name} (${link.half})`;
  const pattern = link.pattern === link.event ? '' : ` on ${link.pattern}`;
  return [
    String(link.order),
    clean(`${name}${pattern}`),
    clean(owner.name),
    owner.tier === 'user' ? `user/${owner.source}` : owner.tier,
    owner.lane,
    String(link.priority),
    link.hasCatch ? `${link.onFailure} + catch` : link.onFailure,
    `${link.budgetMs} ms`,
    owner.realm,
    link.failures > 0 ? `${health} ${link.failures}/${link.calls} failed` : health,
    c.dim(clean((owner.place ?? '').replace(`${cwd}/`, ''))),
  ];
}
