import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HardAbort, TrotlineError } from '@trotline/engine';
import { expect, test } from 'vitest';
import { paired } from '../../../src/agent/loop/pairs.ts';
import type { CallLog, SessionStore } from '../../../src/agent/loop/types.ts';
import type { Model } from '../../../src/agent/models/types.ts';
import { openRecords } from '../../../src/records/index.ts';
import { bash, scripted, stage } from '../support/agent.ts';
import { memoryStore } from '../support/store.ts';
import { tempDir } from '../support/temp.ts';

test('a session resumes with its whole conversation', async () => {
  const sessions = memoryStore();
  const first = stage([{ toolCalls: [bash('echo hi')] }, { text: 'one' }], { sessions, sessionId: 's1' });
  await first.agent.submit('first');
  const { agent, sent } = stage([{ text: 'two' }], { sessions, sessionId: 's1' });
  await agent.ready();
  expect(agent.messages).toEqual(first.agent.messages);
  await agent.submit('second');
  expect(sent[0]?.messages.slice(1).map(({ content }) => content)).toEqual(['first', '', 'hi\n', 'one', 'second']);
});

test('what a hook takes back is gone from the session too', async () => {
  const sessions = memoryStore();
  const { agent } = stage([{ text: 'one' }, { toolCalls: [bash('true')] }], { sessions, sessionId: 's1' }, (engine) =>
    engine.on('tool.call', () => {
      throw new HardAbort('guard', 'stop');
    }),
  );
  await agent.submit('first');
  const before = sessions.rows('s1');
  await agent.submit('second');
  expect(sessions.rows('s1')).toEqual(before);
});

/** A session whose last answer called for `one`, `two` and `three`, of which `one` has its result. */
async function leftInTheMiddle(cwd: string): Promise<SessionStore> {
  const sessions = memoryStore();
  await sessions.create({ id: 's1', cwd });
  const toolCalls = ['one', 'two', 'three'].map((id) => ({ id, name: 'Bash', input: { command: `touch ${id}` } }));
  await sessions.append('s1', [
    { kind: 'message', message: { role: 'user', content: 'go' } },
    { kind: 'message', message: { role: 'assistant', content: '', toolCalls } },
    { kind: 'message', message: { role: 'tool', toolCallId: 'one', toolName: 'Bash', content: 'done before' } },
  ]);
  return sessions;
}

test('a turn left in the middle is gone on with: calls that had not begun run, one that had is never run again', async () => {
  const cwd = tempDir();
  const sessions = await leftInTheMiddle(cwd);
  const calls: CallLog = {
    find: async ({ session, toolUseId }) =>
      session === 's1' && toolUseId === 'two' ? [{ state: 'unknown', startedAt: 1 }] : [{ state: 'open' }],
  };
  const turns = [{ text: 'finished', expect: [{ in: 'messages', contains: 'not run again (unknown)' }] }];
  const { agent } = stage(turns, { sessions, sessionId: 's1', cwd, calls });
  expect(await agent.resume()).toMatchObject({ status: 'completed', text: 'finished' });
  expect(['one', 'two', 'three'].map((name) => existsSync(join(cwd, name)))).toEqual([false, false, true]);
  expect(await agent.resume()).toBeUndefined();
});

const call = { id: 'one', name: 'Bash', input: { command: 'touch one' } };
const asked = { kind: 'message', message: { role: 'user', content: 'go' } };
const called = { kind: 'message', message: { role: 'assistant', content: '', toolCalls: [call] } };
const ran = { kind: 'message', message: { role: 'tool', toolCallId: 'one', toolName: 'Bash', content: 'it ran' } };

test.each([
  ['while the model had not answered the prompt', [asked], 'go'],
  ['while the model had not answered a result', [asked, called, ran], 'it ran'],
])('a turn left %s is gone on with, and nothing runs again', async (_when, rows, last) => {
  const cwd = tempDir();
  const sessions = memoryStore();
  await sessions.create({ id: 's1', cwd });
  await sessions.append('s1', rows);
  const { agent, sent } = stage([{ text: 'finished' }], { sessions, sessionId: 's1', cwd });
  expect(await agent.resume()).toMatchObject({ status: 'completed', text: 'finished' });
  expect(sent[0]?.messages.at(-1)?.content).toBe(last);
  expect(existsSync(join(cwd, 'one'))).toBe(false);
  expect(await agent.resume()).toBeUndefined();
});

test('a turn that the server refused is not gone on with', async () => {
  const sessions = memoryStore();
  await sessions.create({ id: 's1', cwd: tempDir() });
  const answered = { kind: 'message', message: { role: 'assistant', content: 'done' } };
  await sessions.append('s1', [asked, answered, asked, { kind: 'failed', seq: 2, reason: 'refused' }]);
  const { agent } = stage([], { sessions, sessionId: 's1' });
  expect(await agent.resume()).toBeUndefined();
});

test('where nobody can tell which calls had begun, none is run again', async () => {
  const cwd = tempDir();
  const { agent } = stage([{ text: 'finished' }], { sessions: await leftInTheMiddle(cwd), sessionId: 's1', cwd });
  expect((await agent.resume())?.text).toBe('finished');
  expect(['two', 'three'].map((name) => existsSync(join(cwd, name)))).toEqual([false, false]);
});

test('a prompt after a turn left in the middle runs its open calls never, and the model is told', async () => {
  const sessions = memoryStore();
  const cwd = tempDir();
  await sessions.create({ id: 's1', cwd });
  const toolCalls = [{ id: 'one', name: 'Bash', input: { command: 'touch one' } }];
  await sessions.append('s1', [
    { kind: 'message', message: { role: 'user', content: 'go' } },
    { kind: 'message', message: { role: 'assistant', content: '', toolCalls } },
  ]);
  const { agent, sent } = stage([{ text: 'ok' }], { sessions, sessionId: 's1', cwd });
  await agent.submit('where were we?');
  expect(existsSync(join(cwd, 'one'))).toBe(false);
  const messages = sent[0]?.messages.slice(1) ?? [];
  expect(paired(messages)).toEqual(messages);
  expect(messages[2]?.content).toContain('not known');
});

test('a turn that made the server refuse the conversation is cut before the next, in a resumed session too', async () => {
  const sessions = memoryStore();
  const options = { sessions, sessionId: 's1' };
  const { model } = scripted([{ text: 'one' }]);
  const refusing: Model = {
    ...model,
    stream(request, context) {
      if (request.messages.length < 4) return model.stream(request, context);
      throw new TrotlineError('agent.request-refused', { what: 'messages.3 is odd' });
    },
  };
  const first = stage([], { ...options, model: refusing });
  await first.agent.submit('fine');
  expect((await first.agent.submit('odd')).status).toBe('error');

  const rolledBack: unknown[] = [];
  const { agent, sent } = stage([{ text: 'two' }], options, (engine) =>
    engine.on('session.rollback', (_$, e, next) => {
      rolledBack.push(e);
      return next(e);
    }),
  );
  await agent.submit('next');
  expect(rolledBack).toMatchObject([{ rolledBackMessageIndex: 2, reason: 'messages.3 is odd' }]);
  expect(sent[0]?.messages.slice(1).map(({ content }) => content)).toEqual(['fine', 'one', 'next']);
  expect(JSON.stringify(sessions.rows('s1'))).not.toContain('odd');
});

test('rows that another version wrote are passed over', async () => {
  const sessions = memoryStore();
  await sessions.create({ id: 's1', cwd: '/' });
  await sessions.append('s1', [
    { kind: 'future', what: 1 },
    { kind: 'message', message: { role: 'user', content: 'kept' } },
    { kind: 'message', message: { role: 'user', content: { __proto__: null } } },
    null,
  ]);
  const { agent } = stage([], { sessions, sessionId: 's1' });
  await agent.ready();
  expect(agent.messages).toEqual([{ role: 'user', content: 'kept' }]);
});

test('a session on the disk outlives the process’s records and is called what it was first asked', async () => {
  const dir = tempDir();
  const first = await openRecords({ dir });
  const made = stage([{ toolCalls: [bash('echo hi')] }, { text: 'one' }], { sessions: first.sessions });
  await made.agent.submit('  Make it\n work ');
  await first.close();

  const second = await openRecords({ dir });
  const [info] = await second.sessions.list();
  expect(info).toMatchObject({ id: made.agent.sessionId, title: 'Make it work', cwd: made.cwd });
  const { agent } = stage([], { sessions: second.sessions, sessionId: made.agent.sessionId });
  await agent.ready();
  expect(agent.messages).toEqual(made.agent.messages);
  await second.close();
});
