import { randomBytes } from 'node:crypto';
import { TrotlineError } from '@trotline/engine';
import { testBounded } from '../tools/bounded-regexp.ts';
import { createCollector } from './collect.ts';
import { type Expectation, type ExpectPlace, readScriptFile, type ScriptFile, type ScriptTurn } from './script-file.ts';
import type { Chunk, Message, Model, ModelRequest, Usage } from './types.ts';

/** How much of a request an unmet expectation shows. */
const shownChars = 2_000;

/**
 * A model whose words were written beforehand; everything else of a run is real. Each turn answers one request, in the
 * order in which they are made, subagents' included. Throws `agent.script-file`; its stream throws `agent.script-unmet`.
 */
export function createScriptModel(script: string | ScriptFile): Model {
  const { file, turns } = typeof script === 'string' ? readScriptFile(script) : script;
  let made = 0;
  // As with a real server, no two runs have a call id in common: records know calls by it.
  const run = randomBytes(4).toString('hex');
  const model: Model = {
    id: `script:${file}`,
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const turn = turns[made++];
      if (turn === undefined) {
        throw unmet(file, undefined, `request ${made} came after the script’s ${turns.length} turns`, request);
      }
      for (const expectation of turn.expect) checkExpectation(file, made, turn, expectation, request);
      const collector = createCollector();
      for (const chunk of chunksOf(turn, `call_${run}_${made}`, request)) {
        signal.throwIfAborted();
        collector.add(chunk);
        yield chunk;
      }
      return collector.response();
    },
    sibling: () => model,
  };
  return model;
}

function* chunksOf(turn: ScriptTurn, id: string, { messages }: ModelRequest): Generator<Chunk> {
  let index = 0;
  if (turn.text !== '') {
    for (const text of pieces(turn.text)) yield { kind: 'text', index, text };
    index++;
  }
  for (const { name, input } of turn.toolCalls) {
    yield { kind: 'tool', index, id: `${id}_${index}`, name };
    for (const json of pieces(JSON.stringify(input))) yield { kind: 'input', index, json };
    index++;
  }
  const stopReason = turn.toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  yield { kind: 'stop', stopReason, usage: usageOf(messages, turn) };
}

/** A few pieces, as a server sends them: what reads a stream must not depend on getting it whole. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}(?:\s|$)|[\s\S]{1,24}/gu) ?? [];
}

/** Counted as four characters a token, so that compaction and budgets have something real to go by. */
function usageOf(messages: readonly Message[], turn: ScriptTurn): Usage {
  const sent = messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const said = turn.text.length + JSON.stringify(turn.toolCalls).length;
  return {
    input_tokens: Math.ceil(sent / 4),
    output_tokens: Math.ceil(said / 4),
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
}

function checkExpectation(
  file: string,
  request: number,
  turn: ScriptTurn,
  expected: Expectation,
  sent: ModelRequest,
): void {
  const text = textAt(expected.in, sent);
  const quoted = (value: string): string => JSON.stringify(value);
  if (expected.contains !== undefined) {
    if (text.includes(expected.contains)) return;
    throw unmet(file, turn, `request ${request}: ${expected.in} does not contain ${quoted(expected.contains)}`, text);
  }
  if (expected.absent !== undefined) {
    if (!text.includes(expected.absent)) return;
    throw unmet(file, turn, `request ${request}: ${expected.in} contains ${quoted(expected.absent)}`, text);
  }
  const pattern = expected.matches ?? '';
  const matched = testBounded(pattern, 'u', text);
  if (matched === true) return;
  const how = matched === 'slow' ? 'takes too long to match' : 'does not match';
  throw unmet(file, turn, `request ${request}: ${expected.in} ${how} /${pattern}/`, text);
}

function unmet(file: string, turn: ScriptTurn | undefined, what: string, sent: ModelRequest | string): TrotlineError {
  const text = typeof sent === 'string' ? sent : textAt('messages', sent);
  // The end is what the last step changed, so that is the part worth showing.
  const shown = text.length > shownChars ? `… (${text.length} characters) …${text.slice(-shownChars)}` : text;
  const place = turn === undefined ? { file } : { file, line: turn.line };
  return new TrotlineError('agent.script-unmet', { ...place, what: `${what}; sent was: ${JSON.stringify(shown)}` });
}

/** What a request says at one of the places that a script may look at. */
function textAt(place: ExpectPlace, { messages, tools, options }: ModelRequest): string {
  switch (place) {
    case 'system':
      return messages.flatMap((m) => (m.role === 'system' ? [m.content] : [])).join('\n\n');
    case 'messages':
      return messages.map(messageText).join('\n');
    case 'lastUser':
      return messages.findLast((m) => m.role === 'user')?.content ?? '';
    case 'lastToolResult':
      return messages.findLast((m) => m.role === 'tool')?.content ?? '';
    case 'tools':
      return JSON.stringify(tools);
    case 'options':
      return JSON.stringify(options);
  }
}

/** A message as text: what was said, then each tool call as JSON. */
export function messageText(message: Message): string {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message.content;
  const calls = message.toolCalls.map(({ name, input }) => JSON.stringify({ name, input }));
  return [message.content, ...calls].filter((part) => part !== '').join('\n');
}
