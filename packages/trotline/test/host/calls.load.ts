import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

const host = pathToFileURL(fileURLToPath(new URL('../../dist/host/index.js', import.meta.url))).href;

/** 10,000 calls on a line with three hooks of files and its records; what each hook saw, and the heap on the way. */
const program = (project: string, home: string): string => `
  import { openLine } from ${JSON.stringify(host)};
  const line = await openLine({ cwd: ${JSON.stringify(project)}, home: ${JSON.stringify(home)}, managedFile: '/nonexistent/managed.json', allow: ['*'] });
  const heap = () => { globalThis.gc(); globalThis.gc(); return process.memoryUsage().heapUsed; };
  const at = {};
  for (let i = 1; i <= 10_000; i++) {
    const out = await line.tool({ tool: 'Bash', id: 'call-' + i, input: { command: 'echo ' + i } }, ({ input }) => input.command);
    if (out.text !== 'echo ' + i) throw new Error(JSON.stringify(out));
    if (i === 1_000 || i === 10_000) at[i] = heap();
  }
  await line.close();
  console.log(JSON.stringify({ grown: at[10_000] - at[1_000] }));
`;

test('10,000 calls through three hooks: each saw every id in the sent order, and the heap is flat', () => {
  const names = ['a', 'b', 'c'];
  w.file('home/trotline.json', {
    hooks: {
      builtins: Object.fromEntries(
        names.map((name) => [name, { enabled: true, module: './seen.ts', config: { name } }]),
      ),
    },
  });
  w.file(
    'home/seen.ts',
    `import { appendFileSync } from 'node:fs';
     export const register = (on, { name }) => {
       let seen = '';
       on('tool.call', async ($, e, next) => {
         seen += e.tool_use_id + '\\n';
         if (seen.length > 10_000 || e.tool_use_id === 'call-10000') {
           appendFileSync(${JSON.stringify(join(w.home, 'seen-'))} + name, seen);
           seen = '';
         }
         return next(e);
       });
     };`,
  );
  const file = join(w.home, 'program.mjs');
  writeFileSync(file, program(w.project, w.home));
  const ran = execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' });
  const sent = Array.from({ length: 10_000 }, (_, i) => `call-${i + 1}\n`).join('');
  for (const name of names) expect(readFileSync(join(w.home, `seen-${name}`), 'utf8')).toBe(sent);
  expect((JSON.parse(ran) as { grown: number }).grown).toBeLessThan(1_000_000);
});
