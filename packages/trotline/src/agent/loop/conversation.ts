import { randomUUID } from 'node:crypto';
import type { Engine } from '@trotline/engine';
import type { Message } from '../models/types.ts';
import { toBlocks, withBlocks } from './blocks.ts';
import { unanswered } from './pairs.ts';
import { raise } from './raise.ts';
import type { Row } from './rows.ts';
import type { SessionStore } from './types.ts';

/** By which way a message entered: prompt, response, tool-result, delivery, compaction. */
type Door = 'prompt' | 'response' | 'tool-result' | 'delivery' | 'compaction';

/** A place to go back to. */
export interface Mark {
  readonly messages: readonly Message[];
  readonly seq: number;
}

/** The messages of one loop, kept in memory and, for the main loop, in the session. */
export interface Conversation {
  readonly messages: () => readonly Message[];
  /** Raises `session.append`, then stores and keeps what came of it. What hooks refuse is kept without its words. */
  add(message: Message, door: Door): Promise<void>;
  /** Keeps a message that a hook wrote; between a call and its result it waits for `settle`. */
  note(message: Message): Promise<void>;
  /** Puts in what waits. Called where every call has its result. */
  settle(): Promise<void>;
  /** Puts a shortened history in place of all. */
  replace(messages: readonly Message[]): Promise<void>;
  /** Notes in the session that the turn since `mark` failed and is to be cut. */
  fail(mark: Mark, reason: string): Promise<void>;
  mark(): Mark;
  restore(mark: Mark): Promise<void>;
}

export interface ConversationOptions {
  readonly engine: Engine;
  readonly agentId?: string;
  readonly messages?: readonly Message[];
  readonly store?: { readonly sessions: SessionStore; readonly sessionId: string; readonly lastSeq: number };
}

/** A conversation. Every write is stored before it counts. */
export function createConversation({ engine, agentId, messages = [], store }: ConversationOptions): Conversation {
  let kept: readonly Message[] = messages;
  let seq = store?.lastSeq ?? 0;
  const append = async (row: Row): Promise<void> => {
    if (store === undefined) return;
    const [at] = await store.sessions.append(store.sessionId, [row]);
    seq = at ?? seq;
  };
  const put = async (message: Message): Promise<void> => {
    await append({ kind: 'message', message });
    kept = [...kept, message];
  };
  /** Raises `session.append`; what comes of it is kept by `keep`, inside the bottom. */
  const enter = async (message: Message, door: Door, keep: (final: Message) => Promise<void>): Promise<void> => {
    const e = {
      message: toBlocks(message),
      door,
      origin: { kind: 'engine' },
      uuid: randomUUID(),
      ...(agentId === undefined ? {} : { agentId }),
    };
    let isKept = false;
    const answer = await raise(engine, 'session.append', e, async (final) => {
      isKept = true;
      await keep(withBlocks(message, final.message));
      return { message: final.message, uuid: e.uuid };
    });
    // A call must keep its result and a prompt its place, so a refused message stays as a gap that can be seen.
    if (!isKept)
      await keep({ ...message, content: `[withheld: ${'deny' in answer ? answer.deny : 'a hook answered'}]` });
  };
  let notes: Message[] = [];
  return {
    messages: () => kept,
    async note(message) {
      if (unanswered(kept).length > 0) notes.push(message);
      else await put(message);
    },
    async settle() {
      const waiting = notes;
      notes = [];
      for (const message of waiting) await put(message);
    },
    add: (message, door) => enter(message, door, put),
    async replace(shortened) {
      const entered: Message[] = [];
      for (const message of shortened) {
        if (kept.includes(message)) entered.push(message);
        else await enter(message, 'compaction', async (final) => void entered.push(final));
      }
      await append({ kind: 'history', messages: entered });
      kept = entered;
    },
    fail: (mark, reason) => append({ kind: 'failed', seq: mark.seq, reason }),
    mark: () => ({ messages: kept, seq }),
    async restore(mark) {
      kept = mark.messages;
      if (store === undefined) return;
      await store.sessions.rollbackTo(store.sessionId, mark.seq);
      seq = mark.seq;
    },
  };
}
