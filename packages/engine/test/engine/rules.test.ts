import { describe, expect, test } from 'vitest';
import { createEngine, type EventMap } from '../../src/index.ts';

const prompt = { text: 'go', wait: false, origin: { kind: 'composer' } } as const;
const row = (door: EventMap['session.append']['e']['door']): EventMap['session.append']['e'] => ({
  message: {
    type: 'assistant',
    content: [
      { type: 'text', text: 'hi' },
      { type: 'tool_use', id: 'c1', name: 'Bash' },
    ],
  },
  door,
  origin: { plugin: 'engine', tier: 'core' },
  uuid: 'u1',
});
const stored = { bottom: (e: EventMap['session.append']['e']) => ({ message: e.message, uuid: e.uuid }) };

describe('prompt.submit', () => {
  test('a drop before next drops the prompt; a drop after it was answered is the hook’s failure', async () => {
    const line = createEngine();
    const off = line.on('prompt.submit', () => ({ drop: 'not now' }));
    expect(await line.raise('prompt.submit', prompt)).toEqual({ drop: 'not now' });
    off();
    line.on('prompt.submit', async (_$, e, next) => {
      await next(e);
      return { drop: 'too late' };
    });
    expect(await line.raise('prompt.submit', prompt)).toEqual({ text: 'go' });
    expect(line.links('prompt.submit')[0]?.failures).toBe(1);
  });
});

describe('session.append', () => {
  test('an answer without next is the hook’s failure', async () => {
    const line = createEngine();
    line.on('session.append', (_$, e) => ({ message: { ...e.message, content: [] }, uuid: e.uuid }));
    expect(await line.raise('session.append', row('response'), stored)).toMatchObject({
      message: { content: [{}, {}] },
    });
  });

  test('text is the hook’s to change, a tool use is not', async () => {
    const line = createEngine();
    line.on('session.append', async (_$, e, next) => {
      const kept = await next(e);
      if (kept.message === undefined) return kept;
      return { ...kept, message: { ...kept.message, content: [{ type: 'text', text: 'masked' }] } };
    });
    expect(await line.raise('session.append', row('response'), stored)).toMatchObject({
      message: { content: [{ text: 'masked' }, { type: 'tool_use', id: 'c1' }] },
    });
  });

  test('a deny holds at door note, and nowhere else', async () => {
    const line = createEngine();
    line.on('session.append', () => ({ deny: 'no' }));
    expect(await line.raise('session.append', row('note'), stored)).toEqual({ deny: 'no' });
    expect(await line.raise('session.append', row('tool-result'), stored)).toMatchObject({ uuid: 'u1' });
  });
});

test('prompt.mention keeps the context that came from beneath', async () => {
  const line = createEngine();
  line.on('prompt.mention', async (_$, e, next) => {
    await next(e);
    return { type: 'file', context: ['mine'] };
  });
  const result = await line.raise(
    'prompt.mention',
    { mention: '@a', path: 'a' },
    { bottom: () => ({ type: 'file' as const, context: ['beneath'] }) },
  );
  expect(result).toEqual({ type: 'file', context: ['beneath', 'mine'] });
});

test('a tool.check matcher may name a tool by any of its names', async () => {
  const line = createEngine();
  line.on('tool.check', { tool: 'exec' }, () => ({ decision: 'deny', reason: 'by its other name' }));
  expect(await line.tool({ tool: 'Bash', input: { command: 'ls' } }, () => 'ran')).toEqual({
    deny: 'by its other name',
  });
  expect((await line.tool({ tool: 'Read', input: { file_path: 'a' } }, () => 'ran')).text).toBe('ran');
});

test('an op’s bottom completes its event before a hook sees it', async () => {
  const line = createEngine({
    ops: { 'fs.read': Object.assign(() => 'content', { prepare: (e: object) => ({ ...e, path: '/abs/a' }) }) },
  });
  const seen: unknown[] = [];
  line.on('fs.read', (_$, e, next) => {
    seen.push(e.path);
    return next(e);
  });
  line.on('turn.start', async ($, e, next) => {
    await $.fs.read('a');
    return next(e);
  });
  await line.raise('turn.start', { text: '', turnId: 't' });
  expect(seen).toEqual(['/abs/a']);
});
