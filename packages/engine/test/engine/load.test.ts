import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createEngine } from '../../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('ten thousand calls through three hooks keep their ids in order and leave nothing behind', async () => {
  const ids: string[] = [];
  let open = 0;
  const line = createEngine({
    recorder: { decided: () => void open++, settled: () => void open-- },
  });
  line.on('tool.call', (_$, e, next) => next(e));
  line.on('tool.call', async (_$, e, next) => ({ ...(await next(e)) }));
  line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => next({ ...e, command: `${e.command}!` }));
  const half = 5_000;
  const batch = async (from: number): Promise<number> => {
    for (let i = from; i < from + half; i++) {
      const out = await line.tool({ tool: 'Bash', input: { command: `c${i}` }, id: `id-${i}` }, (run) => {
        ids.push(run.id);
        return String(run.input['command']);
      });
      if (out.text !== `c${i}!`) throw new Error(`call ${i} answered ${out.text}`);
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const first = await batch(0);
  const second = await batch(half);
  expect(ids).toEqual(Array.from({ length: 2 * half }, (_, i) => `id-${i}`));
  expect(open).toBe(0);
  // The ids themselves take a few hundred kilobytes.
  expect(second - first).toBeLessThan(4_000_000);
});
