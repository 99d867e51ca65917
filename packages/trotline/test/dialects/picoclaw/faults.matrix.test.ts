import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, type ToolOutcome, type Verdict } from '@trotline/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OnError } from '../../../src/config/index.ts';
import { type InstalledProcesses, installPicoclawProcesses } from '../../../src/dialects/picoclaw/index.ts';
import { fixture, spec } from './support.ts';

/** What a hook may do wrong once it has shaken hands. The one answer that is right is not among what it says. */
const atTheCall = [
  'exits',
  'is killed',
  'garbage',
  'half a line',
  'half a line and ends',
  '20 MB line',
  'wrong id',
  'text as id',
  'late',
  'no answer',
  'echo',
  'an error',
  'wrong shape',
  'wrong word',
  'nested without end',
  'blocked stdin',
  'grandchild holds stdout',
] as const;
/** And before; it is seated all the same, as with `--keep-going`. */
const atTheStart = ['cannot start', 'hangs at hello'] as const;
const faults = [...atTheStart, ...atTheCall];
const policies = ['open', 'closed', 'ask', 'abort'] as const;

interface Run {
  readonly outcome?: ToolOutcome;
  readonly error?: unknown;
  /** Did the tool make its file, and what did it find its arguments to be? */
  readonly made: string | undefined;
  readonly asked: readonly string[];
}

let folder: string;
const lines: { readonly engine: Engine; readonly installed: InstalledProcesses }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trotline-faults-'));
});
afterAll(async () => {
  await Promise.all(
    lines.map(async ({ engine, installed }) => {
      await installed.close();
      await engine.close();
    }),
  );
  await rm(folder, { recursive: true, force: true });
});

/** One call past a hook that fails in this way: on a line of its own, through the real engine, to a real file. */
async function attempt(fault: string, onError: OnError, answer?: 'allow' | 'deny'): Promise<Run> {
  const asked: string[] = [];
  const ask = async (_: unknown, { reason = '' }: Verdict): Promise<Verdict> => {
    asked.push(reason);
    return { decision: answer ?? 'deny', source: { kind: 'person', name: 'person' } };
  };
  const engine = createEngine(answer === undefined ? {} : { gate: { ask } });
  const program = fault === 'cannot start' ? ['/nowhere/hook'] : [process.execPath, fixture('faulty.mjs'), fault];
  const hook = spec({
    name: 'guard',
    command: program,
    intercept: ['before_tool'],
    onError,
    timeouts: {
      observerMs: 500,
      interceptorMs: fault === 'answers twice' ? 60_000 : 1500,
      approvalMs: 1500,
      handshakeMs: fault === 'hangs at hello' ? 300 : 60_000,
    },
  });
  const installed = await installPicoclawProcesses(engine, { processes: [hook], keepGoing: true });
  lines.push({ engine, installed });
  const file = join(folder, `${fault}-${onError}-${answer}`);
  // Larger than a pipe, so that a hook which does not read cannot have been sent it.
  const input = { text: 'x'.repeat(fault === 'blocked stdin' ? 300_000 : 10) };
  const run = engine.tool({ tool: 'Make', input }, async (call) => {
    await writeFile(file, String(call.input['text']));
    return 'made';
  });
  const end = await run.then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  return { ...end, made: existsSync(file) ? readFileSync(file, 'utf8') : undefined, asked };
}

/** Some at a time: each is a process, and the machine is small. */
async function attempts<K extends string>(work: Readonly<Record<K, () => Promise<Run>>>): Promise<Record<K, Run>> {
  const left = Object.entries(work) as [K, () => Promise<Run>][];
  const done = {} as Record<K, Run>;
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) done[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return done;
}

describe('a process hook that fails before a tool', () => {
  let runs: Record<string, Run>;
  beforeAll(async () => {
    const work: Record<string, () => Promise<Run>> = {};
    for (const fault of faults) {
      for (const policy of policies) work[`${fault} ${policy}`] = () => attempt(fault, policy);
      for (const answer of ['allow', 'deny'] as const) work[`${fault} ${answer}`] = () => attempt(fault, 'ask', answer);
    }
    work['answers twice'] = () => attempt('answers twice', 'open');
    runs = await attempts(work);
  }, 240_000);

  it.each(faults)('(%s) open: is skipped, and the tool runs with the arguments it was called with', (fault) => {
    const { made, outcome } = runs[`${fault} open`]!;
    expect(made).toMatch(/^x+$/);
    expect(outcome).toMatchObject({ text: 'made' });
  });

  it.each(faults)('(%s) closed: the tool does not run, and the refusal names the hook', (fault) => {
    const { made, outcome } = runs[`${fault} closed`]!;
    expect(made).toBeUndefined();
    expect(outcome?.deny).toMatch(/^process hook "guard" failed at before_tool, and fails closed: \S/);
  });

  it.each(faults)('(%s) abort: the tool does not run, and the turn ends', (fault) => {
    const { made, error } = runs[`${fault} abort`]!;
    expect(made).toBeUndefined();
    expect(error).toMatchObject({ name: 'AbortTurn', hook: 'guard' });
  });

  it.each(faults)('(%s) ask: a yes runs the tool, a no does not, and nobody to ask is a no', (fault) => {
    const [nobody, yes, no] = ['ask', 'allow', 'deny'].map((which) => runs[`${fault} ${which}`]!);
    expect([nobody?.made, nobody?.outcome?.text]).toEqual([undefined, undefined]);
    expect([no?.made, no?.asked.length]).toEqual([undefined, 1]);
    expect(yes?.made).toMatch(/^x+$/);
    expect(yes?.asked.join()).toContain('guard');
  });

  it('of two answers the first counts, and a second that says otherwise changes nothing', () => {
    const { made, outcome } = runs['answers twice']!;
    expect(made).toBeUndefined();
    expect(outcome?.deny).toContain('the first counts');
  });
});
