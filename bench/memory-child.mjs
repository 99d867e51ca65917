// Prints, as JSON, how many bytes a thousand hooks keep, by library. Each hook is a function of its own.
import { createKernel } from '@trotline/engine/kernel';
import { createHooks } from 'hookable';
import tapable from 'tapable';

const owner = { name: 'mod', tier: 'user', source: 'program', lane: 'in-process', realm: 'inline' };
const fill = {
  trotline: () => {
    const kernel = createKernel({ dollar: () => undefined });
    for (let i = 0; i < 1000; i++) {
      kernel.register({ owner, pattern: 'tool.call', matcher: { tool: 'Bash' }, hook: (_$, e, next) => next(e, i) });
    }
    kernel.links('tool.call');
    return kernel;
  },
  hookable: () => {
    const line = createHooks();
    for (let i = 0; i < 1000; i++) line.hook('tool.call', (e) => [e, i]);
    return line;
  },
  tapable: () => {
    const line = new tapable.AsyncSeriesWaterfallHook(['e']);
    for (let i = 0; i < 1000; i++) line.tapPromise(`hook${i}`, async (e) => [e, i]);
    return line;
  },
};

const settled = () => {
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage().heapUsed;
};
const figures = {};
// Reachable until the end, so that what is measured is still there.
globalThis.kept = [];
for (const [peer, make] of Object.entries(fill)) {
  globalThis.kept.push(make());
  const before = settled();
  const more = 20;
  for (let i = 0; i < more; i++) globalThis.kept.push(make());
  figures[peer] = (settled() - before) / more;
}
process.stdout.write(JSON.stringify(figures));
