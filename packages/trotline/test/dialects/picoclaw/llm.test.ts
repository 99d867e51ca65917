import type { Engine, ModelRequest } from '@trotline/engine';
import { describe, expect, it } from 'vitest';
import { lineWith, scripted } from './support.ts';

const call = { id: 'c1', name: 'Bash', input: { command: 'ls' } };
const request: ModelRequest = {
  turnId: 't1',
  index: 0,
  model: 'm1',
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', toolName: 'Bash', content: 'out', isError: true },
  ],
  tools: [{ name: 'Bash', description: 'runs', inputSchema: { type: 'object' } }],
  options: { max_tokens: 10 },
};

/** Asks a scripted model through the line; what was asked, what was shown, and when. */
async function ask(engine: Engine, toolCalls: readonly (typeof call)[] = []) {
  let asked: ModelRequest | undefined;
  const shown: string[] = [];
  const stream = engine.model(request, async function* (final) {
    asked = final;
    yield { kind: 'text' as const, index: 0, text: 'one ' };
    shown.push('between');
    yield { kind: 'text' as const, index: 0, text: 'two' };
    yield { kind: 'stop' as const, stopReason: 'end_turn' as const, usage: null };
    const stopReason = toolCalls.length > 0 ? ('tool_use' as const) : ('end_turn' as const);
    return { text: 'one two', toolCalls, stopReason, usage: null };
  });
  const calls: unknown[] = [];
  for await (const chunk of stream) {
    const { kind, text, name } = chunk as { kind: string; text?: string; name?: string };
    if (text !== undefined) shown.push(text);
    if (kind === 'tool') calls.push(name);
  }
  return { asked, shown, calls };
}

describe('before_llm', () => {
  it('rewrites what it names, leaves the rest, and the answer still streams', async () => {
    const reply = { action: 'modify', request: { model: 'm2', messages: [{ role: 'user', content: 'changed' }] } };
    const { engine } = await lineWith([(await scripted({ before_llm: reply })).spec]);
    const { asked, shown } = await ask(engine);
    expect(asked).toMatchObject({
      model: 'm2',
      messages: [{ role: 'user', content: 'changed' }],
      options: { max_tokens: 10 },
    });
    expect(asked?.tools).toEqual(request.tools);
    expect(shown).toEqual(['one ', 'between', 'two']);
  });

  it('says which session asks, whichever others are at work', async () => {
    const hook = await scripted({ before_llm: {} });
    const { engine } = await lineWith([hook.spec]);
    for (const at of [1, 2]) engine.notice('turn.started', { text: 'hi', turnId: `t${at}`, sessionId: `s${at}` });
    await new Promise((resolve) => setImmediate(resolve));
    await ask(engine);
    expect((await hook.sent()).at(-1)?.params['meta']).toMatchObject({ SessionKey: 's1', TurnID: 't1', Iteration: 1 });
  });

  it('may echo the conversation and add to it: what came back as it was keeps what was not shown', async () => {
    const hook = await scripted({
      before_llm: { echo: 'request', action: 'modify', set: { options: { max_tokens: 5 } } },
    });
    const { engine } = await lineWith([hook.spec]);
    const { asked } = await ask(engine);
    expect(asked?.messages).toEqual(request.messages);
    expect(asked?.tools).toEqual(request.tools);
    expect(asked?.options).toEqual({ max_tokens: 5 });
    expect((await hook.sent()).at(-1)?.params).toMatchObject({
      meta: { TurnID: 't1', Iteration: 1, TracePath: 'turn.llm.request' },
      model: 'm1',
      messages: [
        { role: 'user', content: 'hi' },
        {
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'exec', arguments: '{"action":"run","command":"ls"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: { name: 'Bash', parameters: { type: 'object' } } }],
    });
  });

  it('may offer a tool of its own', async () => {
    const tool = { type: 'function', function: { name: 'weather', description: 'd', parameters: { type: 'object' } } };
    const { engine } = await lineWith([(await scripted({ before_llm: { request: { tools: [tool] } } })).spec]);
    expect((await ask(engine)).asked?.tools).toEqual([
      { name: 'weather', description: 'd', inputSchema: { type: 'object' } },
    ]);
  });

  it('that fails leaves the request alone, or ends the turn under on_error deny', async () => {
    const open = await lineWith([(await scripted({ before_llm: { request: { messages: 'x' } } })).spec]);
    expect((await ask(open.engine)).asked?.messages).toEqual(request.messages);
    const closed = await lineWith([(await scripted({ before_llm: 'die' }, { onError: 'closed' })).spec]);
    await expect(ask(closed.engine)).rejects.toMatchObject({ name: 'AbortTurn' });
  });

  it.each(['abort_turn', 'hard_abort'])('%s reaches whoever asked, and the model is not', async (action) => {
    const { engine } = await lineWith([(await scripted({ before_llm: { action, reason: 'enough' } })).spec]);
    await expect(ask(engine)).rejects.toMatchObject({ reason: 'enough' });
  });
});

describe('after_llm', () => {
  it.each([
    ['in its envelope', { action: 'modify', response: { model: 'm1', response: { content: 'redacted' } } }],
    ['bare', { action: 'modify', response: { content: 'redacted' } }],
  ])('replaces the answer (%s), of which nothing was shown', async (_, reply) => {
    const { engine } = await lineWith([(await scripted({ after_llm: reply })).spec]);
    expect((await ask(engine)).shown).toEqual(['between', 'redacted']);
  });

  it('keeps tool calls through an echo, and may take them away or add some', async () => {
    const kept = await scripted({ after_llm: { echo: 'response', action: 'continue', set: {} } });
    const line = await lineWith([kept.spec]);
    expect((await ask(line.engine, [call])).calls).toEqual(['Bash']);
    const added = await scripted({
      after_llm: {
        response: { tool_calls: [{ id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } }] },
      },
    });
    expect((await ask((await lineWith([added.spec])).engine)).calls).toEqual(['Read']);
    const none = await scripted({ after_llm: { response: { tool_calls: [] } } });
    expect((await ask((await lineWith([none.spec])).engine, [call])).calls).toEqual([]);
  });

  it('that dies lets the answer pass', async () => {
    const { engine } = await lineWith([(await scripted({ after_llm: 'die' })).spec]);
    const [first, ...rest] = (await ask(engine)).shown;
    expect([first, rest.join('')]).toEqual(['between', 'one two']);
  });
});
