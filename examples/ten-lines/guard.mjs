// A builder guards a tool in ten lines. Run it: node examples/ten-lines/guard.mjs
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createEngine } from '@trotline/engine';

const sh = async (command, signal) => (await promisify(execFile)('sh', ['-c', command], { signal })).stdout;

async function guarded(command) {
  const line = createEngine();
  line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => (/rm -rf/.test(e.command) ? { deny: 'not here' } : next(e)));
  const out = await line.tool({ tool: 'Bash', input: { command } }, ({ input, signal }) => sh(input.command, signal));
  console.log(out.deny ?? out.text);
}

await guarded('rm -rf ./precious');
await guarded('echo hello from the tool');
