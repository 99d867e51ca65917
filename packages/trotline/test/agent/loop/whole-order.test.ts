import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '@trotline/engine';
import { expect, test } from 'vitest';
import { raised } from '../../../src/agent/loop/raised.ts';
import { bash, call, stage } from '../support/agent.ts';

/** What tells one dispatch of an event from the next. */
const about: Readonly<Record<string, string>> = {
  'agent.offer': 'agent',
  'tool.describe': 'tool',
  'prompt.section': 'name',
  'session.append': 'door',
  'tool.call': 'tool',
  'tool.check': 'tool',
  'tool.error': 'tool',
  'agent.spawn': 'subagentType',
  'session.compact': 'trigger',
  'session.measure': 'changed',
  'turn.complete': 'reason',
  'prompt.attachment': 'type',
};

const streams = ['turn.step', 'llm.request'];

/** Every event an agent can raise, as it begins and, where another came between, as it ends. */
function recorder(): { readonly lines: string[]; readonly seat: (engine: Engine) => void } {
  const lines: string[] = [];
  const began = (name: string, e: Readonly<Record<string, unknown>>): string => {
    const who = e['agentId'] === undefined && e['parentAgentId'] === undefined ? '' : 'sub: ';
    const what = about[name] === undefined ? '' : ` ${String(e[about[name]])}`;
    lines.push(`${who}${name}${what}`);
    return `${who}${name}${what}`;
  };
  const ended = (label: string): void => {
    if (lines.at(-1) !== label) lines.push(`${label} done`);
  };
  return {
    lines,
    seat: (engine) => {
      for (const name of raised) {
        if (streams.includes(name)) {
          engine.on(
            name as string,
            async function* (_$: unknown, e: never, next: (e: never) => AsyncGenerator) {
              const label = began(name, e);
              const result = yield* next(e);
              ended(label);
              return result;
            } as never,
          );
        } else {
          engine.on(name as string, async (_$, e, next) => {
            const label = began(name, e);
            const result = await next(e);
            ended(label);
            return result;
          });
        }
      }
      // Inside the recorder, so that it sees the call and what became of it.
      engine.on('tool.call', { tool: 'Write' }, () => ({ deny: 'not here' }));
    },
  };
}

/** One request of a turn. */
const asks = ['turn.step', 'llm.request', 'turn.step done'];
const answers = [...asks, 'session.append response'];

test('a session starts with what its hooks are told of before the first prompt', async () => {
  const { lines, seat } = recorder();
  const { agent } = stage([], {}, seat);
  await agent.ready();
  expect(lines).toEqual([
    'session.start',
    'agent.offer general-purpose',
    'agent.offer fork',
    ...['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep', 'Agent'].map((tool) => `tool.describe ${tool}`),
  ]);
  lines.length = 0;
  await agent.close();
  expect(lines).toEqual(['session.end']);
});

test('the first turn gathers the system prompt and the context, each once; the next composes it anew', async () => {
  const { lines, seat } = recorder();
  const { agent } = stage([{ text: 'One.' }, { text: 'Two.' }], { system: ['Be brief.'] }, seat);
  await agent.ready();
  lines.length = 0;
  await agent.submit('first');
  expect(lines.splice(0)).toEqual([
    'prompt.submit',
    'prompt.context',
    'session.append prompt',
    'turn.start',
    'prompt.submit done',
    'turn.iteration',
    'prompt.section intro',
    'prompt.section environment',
    'prompt.section instructions',
    'prompt.compose',
    ...answers,
    'turn.complete answer',
    'session.measure context',
  ]);
  await agent.submit('second');
  expect(lines).toEqual([
    'prompt.submit',
    'session.append prompt',
    'turn.start',
    'prompt.submit done',
    'turn.iteration',
    'prompt.compose',
    ...answers,
    'turn.complete answer',
    'session.measure context',
  ]);
});

test('a turn with tools, a failing one, a denied one, a subagent and a compaction raises every event in its order', async () => {
  const { lines, seat } = recorder();
  const { agent, cwd } = stage(
    [
      { text: 'word '.repeat(400) },
      {
        toolCalls: [
          bash('touch one'),
          bash('exit 3'),
          call('Write', { file_path: 'two', content: 'x' }),
          call('Agent', { description: 'a task', prompt: 'look around' }),
        ],
      },
      { toolCalls: [bash('touch three')] },
      { text: 'I looked.' },
      { text: 'SUMMARY' },
      { text: 'Done.', expect: [{ in: 'messages', contains: 'SUMMARY' }] },
    ],
    { compactAtTokens: 600 },
    seat,
  );
  await agent.submit('first');
  lines.length = 0;
  expect((await agent.submit('second')).text).toBe('Done.');
  expect(['one', 'two', 'three'].map((name) => existsSync(join(cwd, name)))).toEqual([true, false, true]);
  expect(lines).toEqual([
    'prompt.submit',
    'session.append prompt',
    'turn.start',
    'prompt.submit done',
    'turn.iteration',
    'prompt.compose',
    ...answers,
    // Two tools, of which the second fails.
    ...['tool.call Bash', 'tool.check Bash', 'tool.call Bash done', 'session.append tool-result'],
    ...['tool.call Bash', 'tool.check Bash', 'tool.error Bash', 'tool.call Bash done', 'session.append tool-result'],
    // One that a hook denies: nothing beneath it is asked.
    ...['tool.call Write', 'session.append tool-result'],
    // A subagent, whose own calls stand within that of `Agent`.
    ...['tool.call Agent', 'tool.check Agent', 'agent.offer general-purpose', 'agent.spawn general-purpose'],
    ...['sub: session.append prompt', 'sub: turn.start', 'sub: turn.iteration', 'prompt.compose'],
    ...answers.map((line) => `sub: ${line}`),
    ...['sub: tool.call Bash', 'sub: tool.check Bash', 'sub: tool.call Bash done', 'sub: session.append tool-result'],
    'sub: turn.iteration',
    ...answers.map((line) => `sub: ${line}`),
    'sub: turn.complete answer',
    ...['tool.call Agent done', 'session.append tool-result'],
    // The conversation grew too long: its summary is a request like any other.
    ...['turn.iteration', 'session.compact auto', ...asks, 'session.compact auto done', 'session.append compaction'],
    ...answers,
    'turn.complete answer',
    'session.measure context',
  ]);
});

test('a message while it works, and an interrupt, enter by doors of their own', async () => {
  const { lines, seat } = recorder();
  const { agent, cwd } = stage([{ toolCalls: [bash('touch ran')] }, { text: 'I stopped.' }], {}, (engine) => {
    seat(engine);
    engine.on('tool.call', async (_$, e, next) => {
      await agent.steer('and one more thing');
      agent.interrupt('graceful');
      return next(e);
    });
  });
  expect(await agent.submit('go')).toMatchObject({ text: 'I stopped.', reason: 'graceful interrupt' });
  expect(existsSync(join(cwd, 'ran'))).toBe(true);
  expect(lines.slice(lines.indexOf('tool.call Bash'))).toEqual([
    'tool.call Bash',
    'prompt.submit',
    'tool.check Bash',
    'tool.call Bash done',
    'session.append tool-result',
    'session.append delivery',
    'turn.iteration',
    'prompt.attachment graceful_interrupt',
    ...answers,
    'turn.complete answer',
    'session.measure context',
  ]);
});
