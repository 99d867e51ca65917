import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../../src/index.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'trotline-')), 'made');

test('a hook that denies keeps the tool from running', async () => {
  const made = file();
  const line = createEngine();
  line.on('tool.call', { tool: 'Bash' }, (_$, e, next) =>
    /rm -rf/.test(String(e.command)) ? { deny: 'not here' } : next(e),
  );
  const run = () => {
    writeFileSync(made, '');
    return 'ran';
  };
  const denied = await line.tool({ tool: 'Bash', input: { command: 'rm -rf /' } }, run);
  expect(denied.deny).toBe('not here');
  expect(existsSync(made)).toBe(false);
  const allowed = await line.tool({ tool: 'Bash', input: { command: 'ls' } }, run);
  expect(allowed.text).toBe('ran');
  expect(existsSync(made)).toBe(true);
});
