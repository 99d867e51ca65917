import { TrotlineError } from '@trotline/engine';
import type { Message } from '../models/types.ts';
import { completeTurn } from './complete.ts';
import { type Loop, noUsage, type Shared, type Turn } from './context.ts';
import type { Conversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { measureSession } from './measure.ts';
import type { Failed } from './open.ts';
import { notify, raise } from './raise.ts';
import type { SubmitOptions, TurnResult } from './types.ts';

/** Enters a prompt into a turn; says why, where it never became one. */
type Begin = (turn: Turn) => Promise<string | undefined>;

/** The turns of an agent's main loop, one at a time. */
export interface Turns {
  readonly running: () => Turn | undefined;
  /** Throws `agent.closed` and `agent.busy`. */
  claim(): void;
  /** A turn from its prompt to its end. */
  run(loop: Loop, text: string, options: SubmitOptions, begin: Begin): Promise<TurnResult>;
  /** Work that no turn may run beside. */
  hold<T>(loop: Loop, work: (turn: Turn) => Promise<T>): Promise<T>;
  /** Work for when nothing runs, after what waits already. */
  later(job: () => Promise<unknown>): void;
  /** Resolves once nothing runs and nothing waits. */
  idle(): Promise<void>;
  interrupt(how: 'graceful' | 'now', reason: string): boolean;
  /** Takes no more, for a reason. */
  shut(why: string): void;
  /** Ends what runs, drops what waits. */
  close(): Promise<void>;
  /** What the next turn begins from: a turn that is to be cut is left out. */
  from(conversation: Conversation): readonly Message[];
  /** Where a stored session begins. */
  begin(turns: number, failed: Failed | undefined): void;
}

interface Running {
  readonly turn: Turn;
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

/** No turns yet. */
export function createTurns(shared: Shared): Turns {
  const { engine, sessionId, background } = shared;
  let running: Running | undefined;
  let waiting: (() => Promise<unknown>)[] = [];
  let draining: Promise<void> | undefined;
  let count = 0;
  let failed: Failed | undefined;
  let closed: string | undefined;

  const claim = (): void => {
    if (closed !== undefined) throw new TrotlineError('agent.closed', { what: closed });
    if (running !== undefined) throw new TrotlineError('agent.busy', { what: 'a turn is running' });
  };

  const hold: Turns['hold'] = (loop, work) => occupy(loop, {}, work);

  /** Busy from the first moment: two prompts at once must not both find the agent idle. */
  async function occupy<T>(loop: Loop, options: SubmitOptions, work: (turn: Turn) => Promise<T>): Promise<T> {
    claim();
    const abort = new AbortController();
    const { signal, onChunk } = options;
    const turn: Turn = {
      loop,
      turnId: `main-turn-${++count}`,
      signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
      inbox: createInbox(),
      ...(onChunk === undefined ? {} : { onChunk }),
      index: 0,
      usage: noUsage,
      tokens: 0,
    };
    const done = work(turn);
    running = { turn, abort, done };
    try {
      return await done;
    } finally {
      running = undefined;
      drain();
    }
  }

  const drain = (): void => {
    const job = running === undefined && closed === undefined && draining === undefined ? waiting.shift() : undefined;
    if (job === undefined) return;
    draining = job().then(
      () => {},
      // Its own maker was told; what waits behind it is to run all the same.
      () => {},
    );
    draining.then(() => {
      draining = undefined;
      drain();
    });
  };

  async function runTurn(turn: Turn, text: string, begin: Begin): Promise<TurnResult> {
    delete shared.fatal;
    const { conversation } = turn.loop;
    await cutFailed(conversation);
    const mark = conversation.mark();
    const { result, hardAbort: ended } = await completeTurn(turn, text, mark, () => begin(turn));
    const hardAbort = ended ?? (await measureSession(turn, mark.messages));
    if (hardAbort !== undefined) closed ??= `the hook ${hardAbort.hook} ended the agent: ${hardAbort.reason}`;
    const { code, detail } = result.error ?? {};
    if (code === 'agent.request-refused' || code === 'agent.context-full') {
      failed = { mark, reason: detail?.what ?? code };
      await conversation.fail(mark, failed.reason);
    }
    return result;
  }

  /** A server that refused a conversation would refuse it again: the turn that made it so goes first. */
  async function cutFailed(conversation: Conversation): Promise<void> {
    if (failed === undefined) return;
    const { mark, reason } = failed;
    failed = undefined;
    await conversation.restore(mark);
    const e = { sessionId, reason, rolledBackMessageIndex: mark.messages.length };
    await raise(engine, 'session.rollback', e, () => ({ sessionId }));
  }

  const interrupt: Turns['interrupt'] = (how, reason) => {
    if (running === undefined) return false;
    const { turn, abort } = running;
    const kind = how === 'now' ? 'hard_abort' : 'graceful';
    notify(engine, 'interrupt.received', { sessionId, turnId: turn.turnId, kind });
    if (how === 'now') abort.abort(new Error(reason));
    else turn.inbox.interrupt();
    return true;
  };

  return {
    running: () => running?.turn,
    claim,
    run: (loop, text, options, begin) => occupy(loop, options, (turn) => runTurn(turn, text, begin)),
    hold,
    later(job) {
      waiting.push(job);
      drain();
    },
    async idle() {
      while (running !== undefined || draining !== undefined || background.running() > 0) {
        await Promise.allSettled([running?.done, draining, background.settled()]);
      }
    },
    interrupt,
    shut(why) {
      closed ??= why;
    },
    async close() {
      waiting = [];
      interrupt('now', 'the agent was closed');
      await Promise.allSettled([running?.done, draining]);
    },
    from: (conversation) => failed?.mark.messages ?? conversation.messages(),
    begin(turns, pending) {
      count = turns;
      failed = pending;
    },
  };
}
