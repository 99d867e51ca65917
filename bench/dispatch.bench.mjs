// Dispatch through 0, 1, 10 and 50 links, against koa-compose, hookable and tapable. Ours freezes the event and the result,
// checks both, meters each hook's own time and keeps a trace; the others call functions. `with .next` says who has a chain
// that a hook can run again, rewrite and answer.
import { createKernel } from '@trotline/engine/kernel';
import { createHooks } from 'hookable';
import compose from 'koa-compose';
import tapable from 'tapable';

const { AsyncSeriesWaterfallHook, SyncWaterfallHook } = tapable;

const rules = {
  name: 'tool.call',
  stream: false,
  observe: false,
  budgetMs: 10_000,
  pinned: (field) => field === 'tool' || field === 'tool_use_id',
  eventMisfit: () => undefined,
  resultMisfit: (result) => (result !== null && typeof result === 'object' ? undefined : 'no object'),
};
const owner = { name: 'mod', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
const origin = { plugin: 'engine', tier: 'core' };
const e = { tool: 'Bash', tool_use_id: 't1', command: 'ls' };
const result = { result: 'x', text: 'x' };
const many = (count, make) => Array.from({ length: count }, make);

function trotline(count, hook, bottom, more = {}) {
  const dollar = Object.freeze({});
  const kernel = createKernel({ dollar: () => dollar });
  for (let i = 0; i < count; i++) kernel.register({ owner, pattern: 'tool.call', hook, ...more });
  return () => kernel.dispatch(rules, { e, origin, bottom });
}

function hooks(count, hook) {
  const line = createHooks();
  for (let i = 0; i < count; i++) line.hook('tool.call', hook);
  return () => line.callHook('tool.call', e);
}

function taps(count, Hook, tap, hook, call) {
  const line = new Hook(['e']);
  for (let i = 0; i < count; i++) line[tap](`hook${i}`, hook);
  return () => line[call](e);
}

const counts = [0, 1, 10, 50];
const asynchronous = {
  trotline: (n) =>
    trotline(
      n,
      async (_$, event, next) => {
        const ran = await next(event);
        return ran;
      },
      async () => result,
    ),
  'koa-compose': (n) => {
    const link = async (_context, next) => {
      const ran = await next();
      return ran;
    };
    const line = compose(many(n, () => link));
    return () => line({}, async () => result);
  },
  hookable: (n) => hooks(n, async (event) => event),
  tapable: (n) => taps(n, AsyncSeriesWaterfallHook, 'tapPromise', async (event) => event, 'promise'),
};
const synchronous = {
  trotline: (n) =>
    trotline(
      n,
      (_$, event, next) => next(event),
      () => result,
    ),
  'koa-compose': (n) => {
    const line = compose(many(n, () => (_context, next) => next()));
    return () => line({}, () => result);
  },
  hookable: (n) => hooks(n, (event) => event),
  tapable: (n) => taps(n, SyncWaterfallHook, 'tap', (event) => event, 'call'),
};

export const title = 'dispatch';

/** @param {import('./measure.mjs').Measure} measure */
export async function run({ compare }) {
  const rows = [];
  for (const [kind, peers] of Object.entries({ asynchronous, synchronous })) {
    for (const n of counts) {
      const cases = Object.fromEntries(Object.entries(peers).map(([name, make]) => [name, make(n)]));
      rows.push(...(await compare(`${n} ${kind} links`, 'trotline', cases)));
    }
  }
  const edit = { matcher: { tool: 'Edit' } };
  const unmatched = trotline(
    10,
    (_$, event, next) => next(event),
    () => result,
    edit,
  );
  rows.push(...(await compare('10 links, none matches', 'trotline', { trotline: unmatched })));
  return rows;
}
