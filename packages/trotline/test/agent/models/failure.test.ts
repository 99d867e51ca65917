import { expect, test } from 'vitest';
import { classifyFailure } from '../../../src/agent/models/failure.ts';

const at = 'http://127.0.0.1:1/v1';
const refused = (statusCode: number, responseBody: string): Error =>
  Object.assign(new Error('Bad'), { statusCode, responseBody });

test.each([
  ['{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', 'slow down'],
  ['{"error":"slow down"}', 'slow down'],
  ['{"message":"slow down"}', 'slow down'],
  ['{"error":{"code":7}}', '{"error":{"code":7}}'],
  ['null', 'null'],
  ['slow down', 'slow down'],
])('of what a server answers, %s, its sentence is told', (body, words) => {
  const { error } = classifyFailure(refused(429, body), at, []);
  expect(error.detail.what).toBe(`the model server answered 429: ${words} (${at})`);
});

test('an error inside a stream that the server can mend is one to try again, by its type', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'busy today' } };
  expect(classifyFailure(overloaded, at, [])).toMatchObject({ retry: 'server_error' });
  const invalid = { type: 'error', error: { type: 'invalid_request_error', message: 'busy today' } };
  expect(classifyFailure(invalid, at, []).retry).toBeUndefined();
});

test('a conversation that is too long is told by the code that servers put beside their sentence', () => {
  const body = '{"error":{"message":"Please reduce it.","code":"context_length_exceeded"}}';
  expect(classifyFailure(refused(400, body), at, []).error.code).toBe('agent.context-full');
});

test('a key that a server quotes is not told', () => {
  const { error } = classifyFailure(refused(401, '{"error":{"message":"bad key sk-1"}}'), at, ['sk-1']);
  expect(error.message).not.toContain('sk-1');
});
