import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecords } from '../../src/records/index.ts';
import { childProgram } from './child.ts';

const rounds = 8;
let dir: string;
let child: ReturnType<typeof childProgram>;
const running = new Set<ChildProcess>();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trotline-durable-'));
  // It writes as fast as it can, sixteen at a time, and prints the id of a write only once the write was acknowledged.
  child = childProgram(`
    const [dir, name] = args;
    const records = await openRecords({ dir, env: {} });
    const session = await records.sessions.create({ id: name, cwd: '/p' });
    const say = (line) => process.stdout.write(line + '\\n');
    let count = 0;
    const worker = async () => {
      for (;;) {
        const id = name + '-' + count++;
        const call = { id, at: 1, tool: 'Bash', toolUseId: id, input: { id }, decision: 'allow', source: { kind: 'rule', name: 'p' } };
        await records.decisions.decided(call, { started: true });
        say('started ' + id);
        const [seq] = await records.sessions.append(name, [{ id, text: 'x'.repeat(count % 7000) }]);
        say('row ' + seq + ' ' + id);
        await records.decisions.settled(id, { status: 'done', at: 2, ms: 1, isError: false });
        say('settled ' + id);
      }
    };
    for (let n = 0; n < 16; n++) worker();`);
});
afterEach(() => {
  for (const one of running) one.kill('SIGKILL');
  running.clear();
  child.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a writer until it printed `lines` lines, kills it, and returns what it had acknowledged. */
async function writeAndDie(name: string, lines: number): Promise<string[]> {
  const writer = spawn(process.execPath, [child.file, dir, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(writer);
  const ended = new Promise((resolve) => writer.once('close', resolve));
  const said: string[] = [];
  const input = createInterface({ input: writer.stdout });
  input.on('line', (line) => {
    said.push(line);
    if (said.length === lines) writer.kill('SIGKILL');
  });
  await Promise.all([ended, new Promise((resolve) => input.once('close', resolve))]);
  running.delete(writer);
  // The last line may have been cut by the kill.
  return said.filter((line) => /^(?:started|settled) \S+-\d+$|^row \d+ \S+-\d+$/.test(line)).slice(0, -1);
}

test('what was acknowledged is there after a kill at any point, with two processes writing at once', {
  timeout: 120_000,
}, async () => {
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    // From the very first write on to some hundreds, at a different place in every round.
    const lines = 1 + round * round * 17;
    const said = await Promise.all(
      [0, 1].map(async (n) => ({ name: `r${round}-${n}`, lines: await writeAndDie(`r${round}-${n}`, lines) })),
    );
    const records = await openRecords({ dir, env: {} });
    for (const { name, lines: kept } of said) {
      const rows = new Map(
        (await records.sessions.load(name))?.rows.map(({ seq, row }) => [seq, (row as { id: string }).id]),
      );
      const calls = new Map((await records.decisions.find({ limit: 10_000 })).map((call) => [call.id, call]));
      for (const line of kept) {
        const [what, first = '', second] = line.split(' ');
        if (what === 'row') expect(rows.get(Number(first)), line).toBe(second);
        else expect(calls.get(first)?.[what === 'started' ? 'startedAt' : 'outcome'], line).toBeDefined();
        acknowledged++;
      }
      // Every call of a dead process is settled or unknown; none is taken for running.
      for (const [id, call] of calls) if (id.startsWith(name)) expect(['done', 'unknown']).toContain(call.state);
    }
    await records.close();
  }
  expect(acknowledged).toBeGreaterThan(1000);
});
