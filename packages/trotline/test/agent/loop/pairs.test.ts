import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paired, unanswered } from '../../../src/agent/loop/pairs.ts';
import type { Message } from '../../../src/agent/models/types.ts';

const id = fc.constantFrom('a', 'b', 'c');
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.string(),
    toolCalls: fc.uniqueArray(id, { maxLength: 3 }).map((ids) => ids.map((one) => ({ id: one, name: 'T', input: {} }))),
  }),
  fc.record({ role: fc.constant('tool' as const), toolCallId: id, toolName: fc.constant('T'), content: fc.string() }),
);

test('whatever a conversation has become, every call gets exactly one result right after its answer', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const result = paired(messages);
      for (const [at, { role }] of result.entries()) {
        if (role === 'tool') continue;
        const answer = result[at];
        const calls = answer?.role === 'assistant' ? (answer.toolCalls ?? []).map((call) => call.id) : [];
        const after = result.slice(at + 1);
        const end = after.findIndex((next) => next.role !== 'tool');
        const results = after.slice(0, end === -1 ? after.length : end);
        expect(results.map((one) => one.role === 'tool' && one.toolCallId)).toEqual(calls);
      }
      expect(result.filter(({ role }) => role !== 'tool')).toEqual(messages.filter(({ role }) => role !== 'tool'));
      expect(paired(result)).toEqual(result);
      expect(unanswered(result)).toEqual([]);
    }),
  );
});

test('a result that is there is kept as it is', () => {
  const messages: Message[] = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'T', input: {} }] },
    { role: 'tool', toolCallId: 'a', toolName: 'T', content: 'kept', isError: true },
  ];
  expect(paired(messages)).toEqual(messages);
});
