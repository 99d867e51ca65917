import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createEngine } from '../../src/index.ts';

const run = promisify(execFile);
const sh = async (command: string, signal: AbortSignal): Promise<string> =>
  (await run('sh', ['-c', command], { signal })).stdout.trim();

/** What a builder writes, letter for letter as the documents have it. */
async function tenLines(command: string, console: { log(text: unknown): void }): Promise<void> {
  // biome-ignore format: as the documents have it
  {
const line = createEngine();                                  // or: await openLine({ cwd }) for everyone's hooks
// biome-ignore lint/correctness/noUnusedFunctionParameters: as the documents have it
line.on('tool.call', { tool: 'Bash' }, ($, e, next) => /rm -rf/.test(e.command) ? { deny: 'not here' } : next(e));
const out = await line.tool({ tool: 'Bash', input: { command } }, ({ input, signal }) => sh(input.command, signal));
console.log(out.deny ?? out.text);
  }
}

test('ten lines put a guard in front of a tool', async () => {
  const printed: unknown[] = [];
  await tenLines('rm -rf nowhere', { log: (text) => printed.push(text) });
  await tenLines('echo hello', { log: (text) => printed.push(text) });
  expect(printed).toEqual(['not here', 'hello']);
});
