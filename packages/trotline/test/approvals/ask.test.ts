import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  type Asker,
  type Question,
  sameCall,
  serialAsker,
  sessionMemory,
} from '../../src/approvals/index.ts';

const question = (more: Partial<Question> = {}): Question => ({
  who: 'permission default',
  why: 'Bash can change something',
  tool: 'Bash',
  input: { command: 'ls' },
  digest: 'd1',
  session: 's1',
  ...more,
});
const never = new AbortController().signal;

/** An asker whose questions stay open until the test answers them. */
function desk() {
  const shown: {
    question: Question;
    signal: AbortSignal;
    answer: (answer: Answer) => void;
    fail: (error: Error) => void;
  }[] = [];
  const asker: Asker = {
    ask: (asked, signal) =>
      new Promise((answer, fail) => {
        shown.push({ question: asked, signal, answer, fail });
      }),
  };
  return { shown, asker: serialAsker(asker) };
}

describe('questions', () => {
  test('are put one at a time, in the order they came', async () => {
    const { shown, asker } = desk();
    const answers = ['a', 'b', 'c'].map((digest) => asker.ask(question({ digest }), never));
    for (const [at, digest] of ['a', 'b', 'c'].entries()) {
      await vi.waitFor(() => expect(shown).toHaveLength(at + 1));
      expect(shown[at]?.question.digest).toBe(digest);
      shown[at]?.answer({ decision: 'allow', reason: digest });
      expect(await answers[at]).toEqual({ decision: 'allow', reason: digest });
    }
  });

  test('that are interrupted reject, close their display and let the next one come', async () => {
    const { shown, asker } = desk();
    const stop = new AbortController();
    const first = asker.ask(question(), stop.signal);
    const second = asker.ask(question({ digest: 'd2' }), never);
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    stop.abort(new Error('interrupted'));
    await expect(first).rejects.toThrow('interrupted');
    expect(shown[0]?.signal.aborted).toBe(true);
    await vi.waitFor(() => expect(shown).toHaveLength(2));
    // The closed display's late yes changes nothing.
    shown[0]?.answer({ decision: 'allow' });
    shown[1]?.answer({ decision: 'deny' });
    expect(await second).toEqual({ decision: 'deny' });
  });

  test('that are interrupted while they wait are never shown', async () => {
    const { shown, asker } = desk();
    const stop = new AbortController();
    const first = asker.ask(question(), never);
    const second = asker.ask(question({ digest: 'd2' }), stop.signal);
    const third = asker.ask(question({ digest: 'd3' }), never);
    stop.abort(new Error('interrupted'));
    await expect(second).rejects.toThrow('interrupted');
    shown[0]?.answer({ decision: 'allow' });
    await first;
    await vi.waitFor(() => expect(shown).toHaveLength(2));
    expect(shown[1]?.question.digest).toBe('d3');
    shown[1]?.answer({ decision: 'deny' });
    await third;
  });

  test('that were interrupted before they were asked reject at once', async () => {
    const { shown, asker } = desk();
    await expect(asker.ask(question(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(shown).toHaveLength(0);
  });

  test('leave nothing behind on the signal of a turn that goes on', async () => {
    const turn = new AbortController();
    const asker = serialAsker({ ask: async () => ({ decision: 'allow' }) });
    for (let n = 0; n < 5; n++) await asker.ask(question(), turn.signal);
    expect(getEventListeners(turn.signal, 'abort')).toHaveLength(0);
  });

  test('that expire are answered with no, shown or waiting', async () => {
    vi.useFakeTimers();
    try {
      const { shown, asker } = desk();
      const expiresAt = Date.now() + 1000;
      const first = asker.ask(question({ expiresAt }), never);
      const second = asker.ask(question({ digest: 'd2', expiresAt }), never);
      await vi.advanceTimersByTimeAsync(1001);
      expect(await first).toMatchObject({ decision: 'deny', reason: expect.stringContaining('in time') });
      expect(await second).toMatchObject({ decision: 'deny' });
      expect(shown.map(({ question: asked }) => asked.digest)).toEqual(['d1']);
      expect(shown[0]?.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that expire in more days than a timer can wait stay open', async () => {
    vi.useFakeTimers();
    try {
      const { shown, asker } = desk();
      const open = asker.ask(question({ expiresAt: Date.now() + 2 ** 33 }), never);
      await vi.advanceTimersByTimeAsync(2 ** 32);
      shown[0]?.answer({ decision: 'allow' });
      expect(await open).toEqual({ decision: 'allow' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('whose asker fails reject, and the next one comes', async () => {
    const { shown, asker } = desk();
    const first = asker.ask(question(), never);
    const second = asker.ask(question(), never);
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    shown[0]?.fail(new Error('no terminal'));
    await expect(first).rejects.toThrow('no terminal');
    await vi.waitFor(() => expect(shown).toHaveLength(2));
    shown[1]?.answer({ decision: 'allow' });
    expect(await second).toEqual({ decision: 'allow' });
  });

  test.each([undefined, null, 'allow', true, {}, { decision: 'yes' }, { decision: ['allow'] }])(
    'answered with %j, which is no clear yes, are answered with no',
    async (answer) => {
      const asker = serialAsker({ ask: async () => answer as never });
      expect((await asker.ask(question(), never)).decision).toBe('deny');
    },
  );
});

describe('an answer for the session', () => {
  const yes: Answer = { decision: 'allow', remember: 'session' };
  const memory = () => sessionMemory({ cwd: '/' });

  test('holds for the same call, asker and session only', () => {
    const known = memory();
    known.keep(question(), yes);
    expect(known.recall(question())?.decision).toBe('allow');
    expect(known.recall(question({ digest: 'd2' }))).toBeUndefined();
    expect(known.recall(question({ session: 's2' }))).toBeUndefined();
    expect(known.recall(question({ who: 'a guard' }))).toBeUndefined();
  });
  test('with a pattern holds for what the pattern names, part by part', () => {
    const known = memory();
    known.keep(question(), { ...yes, pattern: 'Bash:npm test*' });
    const ask = (command: string) => known.recall(question({ input: { command }, digest: command }))?.decision;
    expect(ask('npm test -- -u')).toBe('allow');
    expect(ask('npm test; rm x')).toBeUndefined();
    expect(ask('ls')).toBeUndefined();
  });
  test('is not kept when it was a no, or for once', () => {
    const known = memory();
    known.keep(question(), { decision: 'deny', remember: 'session' });
    known.keep(question(), { decision: 'allow', remember: 'once' });
    known.keep(question(), { decision: 'allow' });
    expect(known.recall(question())).toBeUndefined();
  });
  test('is forgotten with its session', () => {
    const known = memory();
    known.keep(question(), yes);
    known.forget('s1');
    expect(known.recall(question())).toBeUndefined();
  });
});

test('what runs is what was approved: any other call has another digest', () => {
  const digestOf = (call: { tool: string; input: unknown }) => JSON.stringify(call);
  const approved = digestOf({ tool: 'Bash', input: { command: 'ls' } });
  expect(sameCall(approved, { tool: 'Bash', input: { command: 'ls' } }, digestOf)).toBe(true);
  expect(sameCall(approved, { tool: 'Bash', input: { command: 'ls -a' } }, digestOf)).toBe(false);
});
