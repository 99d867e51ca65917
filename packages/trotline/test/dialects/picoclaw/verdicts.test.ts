import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, type Observed, type ToolOutcome } from '@trotline/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OnError } from '../../../src/config/index.ts';
import { installPicoclawProcesses } from '../../../src/dialects/picoclaw/index.ts';
import { fixture, spec } from './support.ts';

type Stage = 'before_tool' | 'after_tool' | 'approve_tool' | 'before_llm' | 'after_llm';

/** A line with one hook, kept for all tests of a group, that answers as each call asks it to. */
interface Answering {
  touch(answer: unknown): Promise<{ outcome: ToolOutcome; given: unknown; ran: boolean; failed: readonly string[] }>;
  ask(answer: unknown): Promise<{ text: string; sent: boolean }>;
  close(): Promise<void>;
}

async function answering(stage: Stage, onError: OnError | undefined): Promise<Answering> {
  const folder = await mkdtemp(join(tmpdir(), 'trotline-verdicts-'));
  const engine: Engine = createEngine();
  const hook = spec({
    name: 'gate',
    command: [process.execPath, fixture('hook.mjs')],
    intercept: [stage],
    env: { LOG: join(folder, 'log'), REPLIES: JSON.stringify({ [`hook.${stage}`]: 'asked' }) },
    ...(onError === undefined ? {} : { onError }),
  });
  const installed = await installPicoclawProcesses(engine, { processes: [hook] });
  const failures: string[] = [];
  engine.observe(
    (seen: Observed) => {
      if (seen.kind === 'notice') failures.push(String(seen.notice.data['message']));
    },
    { pattern: 'hook.failed' },
  );
  let calls = 0;
  return {
    touch: async (answer) => {
      const file = join(folder, `made-${++calls}`);
      failures.length = 0;
      let given: unknown;
      const outcome = await engine.tool({ tool: 'Touch', input: { answer, a: 1 } }, async ({ input }) => {
        given = input;
        await writeFile(file, '');
        return 'the result';
      });
      await new Promise((resolve) => setImmediate(resolve));
      return { outcome, given, ran: existsSync(file), failed: [...failures] };
    },
    ask: async (answer) => {
      let sent = false;
      const text = JSON.stringify({ answer });
      const options = { answer };
      const request = { turnId: 't', index: 0, model: 'm', messages: [], tools: [], options };
      const stream = engine.model(request, async function* () {
        sent = true;
        yield { kind: 'text' as const, index: 0, text };
        yield { kind: 'stop' as const, stopReason: 'end_turn' as const, usage: null };
        return { text, toolCalls: [], stopReason: 'end_turn' as const, usage: null };
      });
      let shown = '';
      try {
        for await (const chunk of stream) if (chunk.kind === 'text') shown += chunk.text;
        await stream.result;
      } catch (error) {
        throw Object.assign(error as Error, { shown, sent });
      }
      return { text: shown, sent };
    },
    close: async () => {
      await installed.close();
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What nobody answers who wants the call to run. */
const noes: readonly (readonly [unknown, string])[] = [
  [{ action: 'deny_tool', reason: 'r' }, 'r'],
  [{ decision: { action: 'deny_tool', reason: 'r' } }, 'r'],
  [{ decision: 'deny_tool', message: 'r' }, 'r'],
  [{ action: 'deny' }, ''],
  [{ action: 'DENY_TOOL' }, ''],
  [{ action: ' Deny-Tool ' }, ''],
  [{ action: 'block', reason: 'r' }, 'r'],
  [{ action: 'reject' }, ''],
  [{ decision: 'deny' }, ''],
  [{ decision: false }, ''],
  [{ decision: { action: 'blocked' } }, ''],
  [{ decision: { allow: false } }, ''],
  [{ verdict: 'deny' }, ''],
  [{ approved: false, reason: 'r' }, 'r'],
  [{ allow: false }, ''],
  [{ allowed: false }, ''],
  [{ deny: true }, ''],
  [{ deny: 'r' }, 'r'],
  [{ blocked: true }, ''],
  [{ approved: true, allow: false }, ''],
  [{ action: 'continue', decision: { action: 'deny_tool' } }, ''],
  [{ action: 'continue', deny: true }, ''],
  [{ action: 'deny_tool', reason: { code: 7 } }, '{"code":7}'],
  [{ action: 'deny_tool', reason: 'gate: r' }, 'r'],
];

/** What means: run it. */
const yeses: readonly unknown[] = [
  {},
  { action: 'continue' },
  { action: '' },
  { action: null, decision: null },
  { decision: { action: 'continue' } },
  { action: 'allow' },
  { decision: 'approve' },
  { decision: true },
  { approved: true },
  { allow: true, deny: false },
];

/** What nobody can tell the meaning of. */
const riddles: readonly unknown[] = [
  { action: 'banana' },
  { action: 1 },
  { action: ['deny'] },
  { decision: { action: 'nope' } },
  { decision: { status: 'denied' } },
  { decision: 7 },
  { approved: 'no' },
  { allow: 0 },
  { deny: 1 },
  { ok: false },
  { reason: 'looks dangerous' },
  { status: 'blocked' },
  { action: 'modify' },
  { action: 'modify', params: { a: 2 } },
  { action: 'respond' },
  { args: 'rm -rf /' },
  [],
  [{ action: 'continue' }],
  'deny',
  false,
  7,
];

const named = (list: readonly unknown[]): [string, unknown][] => list.map((answer) => [JSON.stringify(answer), answer]);

function kept(stage: Stage, onError: OnError | undefined): { readonly hook: Answering } {
  const held: { hook: Answering } = { hook: undefined as never };
  beforeAll(async () => {
    held.hook = await answering(stage, onError);
  });
  afterAll(() => held.hook.close());
  return held;
}

describe.each([['open'], ['closed']] as const)('before_tool under on_error %s', (onError) => {
  const held = kept('before_tool', onError);

  it.each(noes.map(([answer, reason]) => [JSON.stringify(answer), answer, reason] as const))(
    '%s keeps the tool from running',
    async (_, answer, reason) => {
      const { outcome, ran } = await held.hook.touch(answer);
      expect(ran).toBe(false);
      const text = 'Tool execution denied by hook';
      expect(outcome.deny).toBe(reason === '' ? text : `${reason} (${text})`);
    },
  );

  it.each(named(yeses))('%s lets it run', async (_, answer) => {
    const { ran, failed } = await held.hook.touch(answer);
    expect([ran, failed]).toEqual([true, []]);
  });

  it('a yes in a word of its own may carry a rewrite', async () => {
    const { given } = await held.hook.touch({ decision: 'allow', args: { a: 2 } });
    expect(given).toEqual({ a: 2 });
  });
});

describe('an answer to before_tool that cannot be understood', () => {
  const open = kept('before_tool', 'open');
  const closed = kept('before_tool', 'closed');
  const abort = kept('before_tool', 'abort');

  it.each(named(riddles))('%s runs the tool as it was when open, and the person is told', async (_, answer) => {
    const { given, ran, failed } = await open.hook.touch(answer);
    expect([given, ran]).toEqual([{ answer, a: 1 }, true]);
    expect(failed).toEqual([expect.stringMatching(/^(answered|changed) /)]);
  });

  it.each(named(riddles))('%s does not run it when closed, and the refusal names the hook', async (_, answer) => {
    const { outcome, ran } = await closed.hook.touch(answer);
    expect(ran).toBe(false);
    expect(outcome.deny).toMatch(/^process hook "gate" failed at before_tool, and fails closed: /);
  });

  it.each(named(riddles))('%s ends the turn under abort', async (_, answer) => {
    await expect(abort.hook.touch(answer)).rejects.toMatchObject({ name: 'AbortTurn', hook: 'gate' });
  });

  it.each([
    ['null', null],
    ['no result at all', undefined],
  ])('%s is a continue for an open hook, and no yes from a guard', async (_, answer) => {
    expect((await open.hook.touch(answer)).ran).toBe(true);
    expect((await closed.hook.touch(answer)).ran).toBe(false);
    await expect(abort.hook.touch(answer)).rejects.toMatchObject({ name: 'AbortTurn' });
  });

  it('says what was answered', async () => {
    expect((await closed.hook.touch({ decision: 'banana' })).outcome.deny).toContain('"decision": "banana"');
    expect((await closed.hook.touch({ ok: true })).outcome.deny).toContain('{"ok":true}');
  });

  it('does not grow the refusal without bound', async () => {
    const long = 'x'.repeat(100_000);
    for (const answer of [{ action: long }, { [long]: 1 }, { action: 'deny_tool', reason: long }]) {
      expect((await closed.hook.touch(answer)).outcome.deny!.length).toBeLessThan(5000);
    }
  });
});

describe('approve_tool', () => {
  const held = kept('approve_tool', undefined);
  const open = kept('approve_tool', 'open');

  it.each(named(noes.map(([answer]) => answer)))('%s is a no, also where failures are open', async (_, answer) => {
    for (const { hook } of [held, open]) {
      const { outcome, ran } = await hook.touch(answer);
      expect(ran).toBe(false);
      expect(outcome.deny).toContain('Tool execution denied by approval hook');
    }
  });

  it.each(
    named([
      { approved: true, action: 'deny_tool' },
      { approved: true, decision: { action: 'deny' } },
      { allow: true, action: 'abort_turn' },
      { approved: true, verdict: 'deny' },
      ...riddles,
      {},
      { action: 'continue' },
    ]),
  )('%s does not run the tool', async (_, answer) => {
    expect((await held.hook.touch(answer)).ran).toBe(false);
  });

  it.each(named([{ approved: true }, { allow: true }, { verdict: 'Always' }, { approved: true, reason: 'fine' }]))(
    '%s is a yes',
    async (_, answer) => {
      expect((await held.hook.touch(answer)).ran).toBe(true);
    },
  );

  it('says what is missing when no verdict was given', async () => {
    const { outcome } = await held.hook.touch({ action: 'continue' });
    expect(outcome.deny).toContain('neither "approved" nor "allow"');
  });
});

const stoppers: readonly unknown[] = [
  { action: 'deny_tool', reason: 'r' },
  { action: 'deny' },
  { allow: false },
  { action: 'respond', result: { for_llm: 'x' } },
  { action: 'banana' },
  { action: 'modify' },
  { ok: false },
  [],
];

describe('after_tool', () => {
  const open = kept('after_tool', 'open');
  const closed = kept('after_tool', 'closed');

  it.each(named(stoppers))('%s has no effect there: open leaves the result, and says so', async (_, answer) => {
    const { outcome, failed } = await open.hook.touch(answer);
    expect(outcome.text).toBe('the result');
    expect(failed).toHaveLength(1);
  });

  it.each(named(stoppers))('%s from a guard withholds the result', async (_, answer) => {
    const { outcome, ran } = await closed.hook.touch(answer);
    expect(ran).toBe(true);
    expect(JSON.stringify(outcome)).not.toContain('the result"');
    expect(outcome.deny).toMatch(/gate.*the tool ran, and its result is withheld/);
  });

  it.each(named([{}, { action: 'continue' }]))('%s leaves the result, also of a guard', async (_, answer) => {
    expect((await closed.hook.touch(answer)).outcome.text).toBe('the result');
  });
});

describe('before_llm', () => {
  const open = kept('before_llm', 'open');
  const closed = kept('before_llm', 'closed');

  it.each(named(stoppers))('%s: the model is asked when open, and not by a guard', async (_, answer) => {
    expect((await open.hook.ask(answer)).sent).toBe(true);
    await expect(closed.hook.ask(answer)).rejects.toMatchObject({ name: 'AbortTurn', sent: false });
  });

  it('an empty answer asks it', async () => {
    expect((await closed.hook.ask({})).sent).toBe(true);
  });
});

describe('after_llm', () => {
  const open = kept('after_llm', 'open');
  const closed = kept('after_llm', 'closed');

  it.each(named(stoppers))('%s: the answer is shown when open, and not by a guard', async (_, answer) => {
    expect((await open.hook.ask(answer)).text).toBe(JSON.stringify({ answer }));
    await expect(closed.hook.ask(answer)).rejects.toMatchObject({ name: 'AbortTurn', shown: '' });
  });

  it('an empty answer shows it', async () => {
    expect((await closed.hook.ask({})).text).not.toBe('');
  });
});
