import type { Report, Seated } from '../kernel/index.ts';
import { type Core, findEvent } from './core.ts';
import type { LinkInfo } from './types.ts';

const DEFAULT_BUDGET_MS = 10_000;

/** How each link fares, for people. */
export interface Health {
  report(report: Report): void;
  last(link: Seated): LinkInfo['lastFailure'];
  state(link: Seated): LinkInfo['health'];
}

/** `down`: its process or worker is gone or never came up. `failing`: its latest call failed. */
export function createHealth(): Health {
  const seen = new Map<
    number,
    { readonly last: NonNullable<LinkInfo['lastFailure']>; readonly calls: number; readonly isDown: boolean }
  >();
  return {
    report: ({ link, code, message, failure }) => {
      const isDown = failure?.class === 'crash' || failure?.class === 'start';
      seen.set(link.sequence, { last: { at: Date.now(), code, message }, calls: link.calls, isDown });
    },
    last: (link) => seen.get(link.sequence)?.last,
    state: (link) => {
      if (link.owner.isDown?.() === true) return 'down';
      const failed = seen.get(link.sequence);
      if (failed === undefined || link.calls > failed.calls) return 'ok';
      return failed.isDown ? 'down' : 'failing';
    },
  };
}

/** A link as `trotline hooks` shows it. */
export function linkInfo(link: Seated, event: string, order: number, core: Core, health: Health): LinkInfo {
  const last = health.last(link);
  return {
    event,
    order,
    owner: link.owner,
    name: link.name ?? link.owner.name,
    pattern: link.pattern,
    ...(link.matcher === undefined ? {} : { matcher: link.matcher }),
    priority: link.priority ?? 0,
    onFailure: link.onFailure ?? 'open',
    budgetMs: link.budgetMs ?? findEvent(event, core.served)?.budgetMs ?? DEFAULT_BUDGET_MS,
    ...(link.half === undefined ? {} : { half: link.half }),
    hasCatch: link.handler !== undefined,
    health: health.state(link),
    calls: link.calls,
    failures: link.failures,
    ...(last === undefined ? {} : { lastFailure: last }),
  };
}
