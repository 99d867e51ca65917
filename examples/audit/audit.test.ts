import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@trotline/engine';
import { afterAll, expect, test } from 'vitest';
import { auditTo } from './audit.ts';

const folder = mkdtempSync(join(tmpdir(), 'trotline-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every call is in the file, with what each hook did, in the order in which it happened', async () => {
  const file = join(folder, 'audit.ndjson');
  const line = createEngine();
  line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => (e.command === 'rm x' ? { deny: 'no' } : next(e)), {
    name: 'guard',
  });
  const audit = auditTo(line, file);
  await line.tool({ tool: 'Bash', input: { command: 'ls' } }, () => 'ran');
  await line.tool({ tool: 'Bash', input: { command: 'rm x' } }, () => 'ran');
  await line.close();
  await audit.close();

  const rows = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(rows.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['tool.started', 'tool.call', 'tool.ended', 'tool.skipped']),
  );
  expect(rows.filter(({ what }) => what === 'tool.call').map(({ hooks }) => hooks[0].outcome)).toEqual([
    'passed',
    'returned',
  ]);
  expect(rows.find(({ what }) => what === 'tool.skipped')).toMatchObject({ tool: 'Bash', reason: 'no' });
  expect(audit.lost).toBe(0);
  expect(statSync(file).mode & 0o077).toBe(0);
});
