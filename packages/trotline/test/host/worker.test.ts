import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type * as Host from '../../src/host/index.ts';
import { bash, type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

// A worker thread loads JavaScript, so this one runs what was built.
test('a module in a worker of its own guards like any other, and one that hangs in native code is ended', async () => {
  const native = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`;
  w.file('home/trotline.json', {
    hooks: {
      builtins: { guard: { enabled: true, module: './guard.ts', on_error: 'closed', worker: 'own', timeout_ms: 2000 } },
    },
  });
  w.file(
    'home/guard.ts',
    `import type { Register } from 'trotline';
     export const register: Register = (on) => {
       on('tool.call', { tool: 'Bash' }, async ($, e, next) => {
         if (String(e.command).includes('hang')) ${native};
         if (String(e.command).includes('note')) return { deny: await $.fs.read('note.txt') };
         return next(e);
       });
     };`,
  );
  w.file('project/note.txt', 'denied by the note');
  const { openLine } = (await import(new URL('../../dist/host/index.js', import.meta.url).href)) as typeof Host;
  const line = await openLine({ cwd: w.project, home: w.home, managedFile: w.managedFile, allow: ['*'] });
  onTestFinished(() => line.close());
  expect(line.owners[0]?.realm).toBe('worker');
  expect((await bash(line, 'cat note.txt')).deny).toBe('denied by the note');
  expect((await bash(line, 'touch hang')).deny).toContain('guard');
  expect(existsSync(join(w.project, 'hang'))).toBe(false);
  await bash(line, 'touch made');
  expect(existsSync(join(w.project, 'made'))).toBe(true);
});
