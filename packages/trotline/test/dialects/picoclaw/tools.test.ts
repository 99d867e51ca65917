import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, ToolOutcome } from '@trotline/engine';
import { describe, expect, it } from 'vitest';
import { lineWith, scripted, tempFolder } from './support.ts';

/** Runs a tool that makes a file, and says whether it did. */
async function touch(engine: Engine, input: Record<string, unknown> = { a: 1 }) {
  const file = join(await tempFolder(), 'made');
  let given: unknown;
  const outcome: ToolOutcome = await engine.tool({ tool: 'Touch', input, id: 'call-1' }, async (run) => {
    given = run.input;
    await writeFile(file, '');
    return { result: { secret: 'the result' }, text: 'the result' };
  });
  return { outcome, given, ran: existsSync(file) };
}

describe('before_tool', () => {
  it.each([
    ['upstream', { action: 'deny_tool', reason: 'not today' }],
    ['docs', { decision: { action: 'deny_tool', reason: 'not today' } }],
    ['a text as decision', { decision: 'deny_tool', message: 'not today' }],
    ['message instead of reason', { decision: { action: 'deny_tool', message: 'not today' } }],
    ['keys in any case', { Action: 'deny_tool', Reason: 'not today' }],
  ])('deny_tool stops the tool (%s)', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ before_tool: reply })).spec]);
    const { outcome, ran } = await touch(engine);
    expect(outcome.deny).toBe('not today (Tool execution denied by hook)');
    expect(ran).toBe(false);
  });

  it.each([
    ['upstream', { action: 'respond', result: { for_llm: 'from the hook', is_error: false } }],
    ['docs', { decision: { action: 'respond' }, hook_result: { for_llm: 'from the hook' } }],
    ['inside the call', { action: 'respond', call: { hook_result: { for_llm: 'from the hook' } } }],
  ])('respond answers in the place of the tool (%s)', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ before_tool: reply })).spec]);
    const { outcome, ran } = await touch(engine);
    expect([outcome.text, outcome.isError, ran]).toEqual(['from the hook', undefined, false]);
  });

  it('respond may be an error', async () => {
    const reply = { action: 'respond', result: { for_llm: 'failed', is_error: true } };
    const { engine } = await lineWith([(await scripted({ before_tool: reply })).spec]);
    expect((await touch(engine)).outcome).toMatchObject({ text: 'failed', isError: true });
  });

  it('respond without a result lets the tool run', async () => {
    const { engine } = await lineWith([(await scripted({ before_tool: { action: 'respond' } })).spec]);
    expect((await touch(engine)).ran).toBe(true);
  });

  it.each([
    ['docs, without a decision', { args: { a: 2 } }],
    ['docs, modify', { decision: { action: 'modify' }, args: { a: 2 } }],
    ['upstream', { action: 'modify', call: { tool: 'Touch', arguments: { a: 2 } } }],
    ['continue with a payload', { action: 'continue', call: { arguments: { a: 2 } } }],
    ['an echo with arguments edited', { echo: 'call', action: 'modify', set: { arguments: { a: 2 } } }],
    ['an echo with args edited', { echo: 'call', action: 'modify', set: { args: { a: 2 } } }],
    ['both spellings edited alike', { args: { a: 2 }, call: { arguments: { a: 2 } } }],
  ])('rewrites the arguments (%s)', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ before_tool: reply })).spec]);
    expect((await touch(engine)).given).toEqual({ a: 2 });
  });

  it.each([
    ['nothing', {}],
    ['null', null],
    ['an unchanged echo', { echo: 'call', action: 'modify', set: {} }],
    ['an action that does not exist', { action: 'redact', args: { a: 2 } }],
    ['two spellings edited differently', { call: { arguments: { a: 2 }, args: { a: 3 } } }],
    ['arguments that are no object', { args: 'rm -rf /' }],
    ['an action that is no text', { action: 1 }],
    ['no object at all', [1, 2]],
    ['an error', 'error'],
  ])('keeps the call as it was when the hook answers with %s', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ before_tool: reply })).spec]);
    const { given, ran } = await touch(engine);
    expect([given, ran]).toEqual([{ a: 1 }, true]);
  });

  it('sends the call under every spelling, arguments always as an object', async () => {
    const hook = await scripted({ before_tool: {} });
    const { engine } = await lineWith([hook.spec]);
    await touch(engine, {});
    const [hello, before] = await hook.sent();
    expect(hello).toMatchObject({
      method: 'hook.hello',
      params: { name: 'hook', version: 1, protocol_version: 1, modes: ['tool'] },
    });
    expect(before?.params).toMatchObject({
      tool: 'Touch',
      name: 'Touch',
      arguments: {},
      args: {},
      tool_call_id: 'call-1',
      channel: 'cli',
      meta: { TracePath: 'turn.tool.before', Source: 'runTurn' },
    });
    expect(before?.params).not.toHaveProperty('dry_run');
  });

  it('says which turn the call belongs to', async () => {
    const hook = await scripted({ before_tool: {} });
    const { engine } = await lineWith([hook.spec]);
    engine.notice('turn.started', { text: 'hi', turnId: 't1', sessionId: 's1' });
    for (let i = 0; i < 2; i++)
      engine.notice('llm.started', { turnId: 't1', sessionId: 's1', model: 'm', messages: 1, tools: 0 });
    await new Promise((resolve) => setImmediate(resolve));
    await touch(engine);
    expect((await hook.sent()).at(-1)?.params['meta']).toEqual({
      AgentID: 'main',
      TurnID: 't1',
      ParentTurnID: '',
      SessionKey: 's1',
      Iteration: 2,
      TracePath: 'turn.tool.before',
      Source: 'runTurn',
    });
  });

  it('names no turn where two sessions are at work at once, rather than that of the other', async () => {
    const hook = await scripted({ before_tool: {} });
    const { engine } = await lineWith([hook.spec]);
    const told = async (): Promise<unknown> => {
      await new Promise((resolve) => setImmediate(resolve));
      await engine.tool({ tool: 'T', input: {} }, () => '');
      return (await hook.sent()).at(-1)?.params['meta'];
    };
    engine.notice('turn.started', { text: 'hi', turnId: 't1', sessionId: 's1' });
    expect(await told()).toMatchObject({ SessionKey: 's1', TurnID: 't1' });
    engine.notice('turn.started', { text: 'hi', turnId: 't2', sessionId: 's2' });
    expect(await told()).toMatchObject({ SessionKey: '', TurnID: '', Iteration: 0 });
    engine.notice('turn.ended', { turnId: 't1', status: 'completed', iterations: 1, durationMs: 1 });
    expect(await told()).toMatchObject({ SessionKey: 's2', TurnID: 't2' });
  });

  it('shows a call in the words of PicoClaw, and reads what comes back in them', async () => {
    const hook = await scripted({ before_tool: { args: { action: 'run', command: 'ls -a', timeout: 3 } } });
    const { engine } = await lineWith([hook.spec]);
    let given: unknown;
    const input = { command: 'ls', description: 'Lists', timeout: 2000 };
    await engine.tool({ tool: 'Bash', input }, (run) => {
      given = [run.tool, run.input];
      return '';
    });
    expect((await hook.sent()).at(-1)?.params).toMatchObject({
      tool: 'exec',
      name: 'exec',
      args: { action: 'run', command: 'ls', timeout: 2 },
    });
    expect(given).toEqual(['Bash', { command: 'ls -a', description: 'Lists', timeout: 3000 }]);
  });

  it('runs hooks in the order of their priority, each seeing what the one before made of the call', async () => {
    const [first, second] = await Promise.all([
      scripted({ before_tool: { args: { a: 2 } } }, { name: 'z-first', priority: -10 }),
      scripted({ before_tool: { args: { a: 3 } } }, { name: 'a-second', priority: 10 }),
    ]);
    const { engine } = await lineWith([second.spec, first.spec]);
    expect((await touch(engine)).given).toEqual({ a: 3 });
    expect((await first.sent()).at(-1)?.params['args']).toEqual({ a: 1 });
    expect((await second.sent()).at(-1)?.params['args']).toEqual({ a: 2 });
  });

  it.each(['abort_turn', 'hard_abort'])('%s reaches whoever raised the call, with its reason', async (action) => {
    const { engine } = await lineWith([(await scripted({ before_tool: { action, reason: 'enough' } })).spec]);
    await expect(touch(engine)).rejects.toMatchObject({
      name: action === 'abort_turn' ? 'AbortTurn' : 'HardAbort',
      hook: 'hook',
      reason: 'enough',
    });
  });
});

describe('a hook killed in the middle of a call', () => {
  it('passes the call under on_error continue', async () => {
    const { engine } = await lineWith([(await scripted({ before_tool: 'die' })).spec]);
    expect((await touch(engine)).ran).toBe(true);
  });

  it('denies it under on_error deny', async () => {
    const { engine } = await lineWith([(await scripted({ before_tool: 'die' }, { onError: 'closed' })).spec]);
    const { outcome, ran } = await touch(engine);
    expect([typeof outcome.deny, ran]).toEqual(['string', false]);
    expect(outcome.deny).toContain('SIGKILL');
  });

  it('ends the turn under on_error abort', async () => {
    const { engine } = await lineWith([(await scripted({ before_tool: 'die' }, { onError: 'abort' })).spec]);
    await expect(touch(engine)).rejects.toMatchObject({ name: 'AbortTurn', hook: 'hook' });
  });

  it('goes on denying until it is back', async () => {
    const hook = await scripted(
      { before_tool: 'die' },
      { onError: 'closed', restart: { enabled: true, max: 5, windowMs: 60_000, backoffMs: 30_000 } },
    );
    const { engine } = await lineWith([hook.spec]);
    await touch(engine);
    expect((await touch(engine)).ran).toBe(false);
  });
});

describe('a hook that does not answer', () => {
  const short = { timeouts: { observerMs: 500, interceptorMs: 200, approvalMs: 200, handshakeMs: 10_000 } };

  it('passes the call when its time is over, or denies it under on_error deny', async () => {
    const open = await lineWith([(await scripted({ before_tool: 'never' }, short)).spec]);
    expect((await touch(open.engine)).ran).toBe(true);
    const closed = await lineWith([(await scripted({ before_tool: 'never' }, { ...short, onError: 'closed' })).spec]);
    expect((await touch(closed.engine)).ran).toBe(false);
  });

  it('denies as an approver', async () => {
    const { engine } = await lineWith([(await scripted({ approve_tool: 'never' }, short)).spec]);
    const { outcome, ran } = await touch(engine);
    expect(ran).toBe(false);
    expect(outcome.deny).toMatch(
      /^tool approval hook "hook" timed out: .* \(Tool execution denied by approval hook\)$/,
    );
  });
});

describe('approve_tool', () => {
  it.each([
    [{ allow: true }, true],
    [{ approved: true }, true],
    [{ verdict: 'always' }, true],
    [{ allow: false }, false],
    [{ approved: true, allow: false }, false],
    [{}, false],
    [null, false],
    [{ action: 'continue' }, false],
    [{ approved: 'true' }, false],
    ['error', false],
    ['die', false],
  ])('%j means %s', async (reply, runs) => {
    const { engine } = await lineWith([(await scripted({ approve_tool: reply })).spec]);
    const { outcome, ran } = await touch(engine);
    expect(ran).toBe(runs);
    if (!runs) expect(outcome.deny).toMatch(/Tool execution denied by approval hook\)?$/);
  });

  it('gives the reason of a no to the model', async () => {
    const { engine } = await lineWith([
      (await scripted({ approve_tool: { approved: false, reason: 'blocked' } })).spec,
    ]);
    expect((await touch(engine)).outcome.deny).toBe('blocked (Tool execution denied by approval hook)');
  });

  it('all must agree, the first no ends it, and they see the arguments after before_tool', async () => {
    const [rewriter, no, never] = await Promise.all([
      scripted({ before_tool: { args: { a: 2 } }, approve_tool: { allow: true } }, { name: 'one', priority: 1 }),
      scripted({ approve_tool: { allow: false } }, { name: 'two', priority: 2 }),
      scripted({ approve_tool: { allow: true } }, { name: 'three', priority: 3 }),
    ]);
    const { engine } = await lineWith([never.spec, no.spec, rewriter.spec]);
    expect((await touch(engine)).ran).toBe(false);
    expect((await no.sent()).at(-1)?.params['arguments']).toEqual({ a: 2 });
    expect((await never.sent()).map((sent) => sent.method)).toEqual(['hook.hello']);
  });

  it('is not asked about a call that a hook answered', async () => {
    const hook = await scripted({
      before_tool: { action: 'respond', result: { for_llm: 'x' } },
      approve_tool: { allow: false },
    });
    const { engine } = await lineWith([hook.spec]);
    expect((await touch(engine)).outcome.text).toBe('x');
    expect((await hook.sent()).some((sent) => sent.method === 'hook.approve_tool')).toBe(false);
  });

  it('answers the question of the permission default, not the one of a rule', async () => {
    const yes = await scripted({ approve_tool: { allow: true } });
    const ask = (kind: 'default' | 'rule') => ({ decision: 'ask' as const, source: { kind, name: kind } });
    const byDefault = await lineWith([yes.spec], { engine: { gate: { fallback: () => ask('default') } } });
    expect((await touch(byDefault.engine)).ran).toBe(true);
    const byRule = await lineWith([yes.spec], { engine: { gate: { rules: () => ask('rule') } } });
    expect((await touch(byRule.engine)).ran).toBe(false);
  });
});

describe('after_tool', () => {
  it.each([
    ['in its envelope', { action: 'modify', result: { tool: 'Touch', result: { for_llm: 'redacted' } } }],
    ['flat', { action: 'modify', result: { for_llm: 'redacted' } }],
    ['as hook_result', { decision: { action: 'modify' }, hook_result: { for_llm: 'redacted' } }],
    [
      'an echo with hook_result edited',
      { echo: 'result', action: 'modify', set: { hook_result: { for_llm: 'redacted' } } },
    ],
  ])('replaces the result (%s), and nothing of the old one stays', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ after_tool: reply })).spec]);
    const { outcome, ran } = await touch(engine);
    expect(ran).toBe(true);
    expect(JSON.stringify(outcome)).not.toContain('the result');
    expect(outcome.text).toBe('redacted');
  });

  it('runs in the promised order on the way back too', async () => {
    const hooks = await Promise.all(
      ['first', 'second'].map((name, priority) =>
        scripted({ after_tool: { result: { for_llm: `${name} was here` } } }, { name, priority }),
      ),
    );
    const { engine } = await lineWith(hooks.map((hook) => hook.spec).reverse());
    expect((await touch(engine)).outcome.text).toBe('second was here');
    const seen = (await hooks[1]!.sent()).at(-1)?.params['result'];
    expect(seen).toMatchObject({ for_llm: 'first was here' });
  });

  it('sees only what the tool made: no answer, no deny', async () => {
    for (const reply of [{ action: 'deny_tool' }, { action: 'respond', result: { for_llm: 'x' } }]) {
      const hook = await scripted({ before_tool: reply, after_tool: { result: { for_llm: 'changed' } } });
      const { engine } = await lineWith([hook.spec]);
      const { outcome } = await touch(engine);
      expect(outcome.text).not.toBe('changed');
      expect((await hook.sent()).map((sent) => sent.method)).not.toContain('hook.after_tool');
    }
  });

  it('withholds the result when it fails under on_error deny', async () => {
    const { engine } = await lineWith([(await scripted({ after_tool: 'die' }, { onError: 'closed' })).spec]);
    const { outcome, ran } = await touch(engine);
    expect(ran).toBe(true);
    expect(JSON.stringify(outcome)).not.toContain('the result');
  });

  it.each(['abort_turn', 'hard_abort'])('%s ends the turn after the tool ran', async (action) => {
    const { engine } = await lineWith([(await scripted({ after_tool: { action, reason: 'enough' } })).spec]);
    await expect(touch(engine)).rejects.toMatchObject({ reason: 'enough' });
  });
});
