import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrotlineError } from '@trotline/engine';
import { expect, test } from 'vitest';
import { createScriptModel } from '../../../src/agent/models/script.ts';
import { parseScript } from '../../../src/agent/models/script-file.ts';
import type { Chunk, Model, ModelRequest, ModelResponse } from '../../../src/agent/models/types.ts';
import { tempDir } from '../support/temp.ts';

const script = (turns: readonly unknown[]): Model =>
  createScriptModel(parseScript(JSON.stringify({ turns }), 'demo.json'));

const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'script:demo.json',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hello' },
  ],
  tools: [{ name: 'Bash', description: 'runs', inputSchema: { type: 'object' } }],
  options: { max_tokens: 9 },
  ...over,
});

async function answer(model: Model, asked = request()): Promise<{ chunks: Chunk[]; response: ModelResponse }> {
  const stream = model.stream(asked, { signal: new AbortController().signal });
  const chunks: Chunk[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return { chunks, response: next.value };
    chunks.push(next.value);
  }
}

test('a turn streams its text in several chunks and its calls with their arguments', async () => {
  const text = 'A sentence long enough that no server would send it in one piece.';
  const { chunks, response } = await answer(
    script([{ text, toolCalls: [{ name: 'Bash', input: { command: 'ls' } }] }]),
  );
  const said = chunks.flatMap((chunk) => (chunk.kind === 'text' ? [chunk.text] : []));
  expect(said.length).toBeGreaterThan(1);
  expect(said.join('')).toBe(text);
  expect(response).toMatchObject({
    text,
    toolCalls: [{ id: expect.stringMatching(/^call_[0-9a-f]{8}_1_1$/), name: 'Bash', input: { command: 'ls' } }],
    stopReason: 'tool_use',
  });
});

test('requests are answered in the order in which they are made, whatever model they name', async () => {
  const model = script([{ text: 'one' }, { text: 'two' }]);
  expect((await answer(model)).response.text).toBe('one');
  expect((await answer(model.sibling('other'))).response.text).toBe('two');
});

test.each([
  ['system', 'Be brief.'],
  ['messages', '{"name":"Bash","input":{"command":"ls"}}'],
  ['lastUser', 'hello'],
  ['lastToolResult', 'a\tb'],
  ['tools', '"inputSchema":{"type":"object"}'],
  ['options', '{"max_tokens":9}'],
])('an expectation sees %s as it was sent', async (place, contains) => {
  const asked = request({
    messages: [
      ...request().messages,
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'Bash', input: { command: 'ls' } }] },
      { role: 'tool', toolCallId: 'x', toolName: 'Bash', content: 'a\tb' },
    ],
  });
  await answer(script([{ expect: [{ in: place, contains }] }]), asked);
  await expect(answer(script([{ expect: [{ in: place, absent: contains }] }]), asked)).rejects.toMatchObject({
    code: 'agent.script-unmet',
  });
});

test('an unmet expectation says what was sent, bounded, and names the turn', async () => {
  const model = script([{ text: 'unsaid', expect: [{ in: 'lastUser', contains: 'goodbye' }] }]);
  const asked = request({ messages: [{ role: 'user', content: `${'x'.repeat(50_000)}the end` }] });
  const error = await answer(model, asked).catch((thrown: TrotlineError) => thrown);
  expect(error).toMatchObject({ code: 'agent.script-unmet' });
  const { message } = error as TrotlineError;
  expect(message).toContain('demo.json:1');
  expect(message).toContain('goodbye');
  expect(message).toContain('the end');
  expect(message.length).toBeLessThan(3_000);
});

test('matches takes a regular expression, and one that never ends is unmet', async () => {
  await answer(script([{ expect: [{ in: 'lastUser', matches: '^hel+o$' }] }]));
  const slow = script([{ expect: [{ in: 'lastUser', matches: '^(a+)+$' }] }]);
  const asked = request({ messages: [{ role: 'user', content: `${'a'.repeat(60)}!` }] });
  await expect(answer(slow, asked)).rejects.toThrow('takes too long to match');
});

test('a request past the last turn is unmet; turns left over are no error', async () => {
  const model = script([{ text: 'only' }]);
  await answer(model);
  await expect(answer(model)).rejects.toMatchObject({ code: 'agent.script-unmet' });
});

test.each([
  ['{"turns": [', 1, 12, 'faulty'],
  ['{\n  "turnz": []\n}', 2, 3, 'turnz'],
  ['{"turns": [\n  {"text": 1}\n]}', 2, 12, 'text is a number'],
  ['{"turns": [{"toolCalls": [{"input": {}}]}]}', 1, 27, 'no name'],
  ['{"turns": [{"expect": [{"in": "nowhere", "contains": ""}]}]}', 1, 31, 'nowhere'],
  ['{"turns": [{"expect": [{"in": "system"}]}]}', 1, 24, 'exactly one'],
  ['{"turns": [{"expect": [{"in": "system", "matches": "("}]}]}', 1, 52, 'regular expression'],
])('a faulty script %j is placed at %i:%i', (text, line, column, says) => {
  const file = join(tempDir(), 'faulty.json');
  writeFileSync(file, text);
  let error: unknown;
  try {
    createScriptModel(file);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: 'agent.script-file', detail: { file, line, column } });
  expect((error as Error).message).toContain(says);
});

test('a script that is no file is refused with its path', () => {
  const dir = tempDir();
  expect(() => createScriptModel(dir)).toThrow(`${dir}: the script cannot be read`);
});

test('comments and trailing commas are allowed', async () => {
  const model = createScriptModel(parseScript('{"turns": [{"text": "hi"}, /* more */],}', 'demo.json'));
  expect((await answer(model)).response.text).toBe('hi');
});
