import { parseAllow } from './permission.ts';
import { compileRules, type Rules } from './rules.ts';
import type { Answer, Asker, Question, RuleCall } from './types.ts';

const noAnswer: Answer = { decision: 'deny', reason: 'nobody answered in time' };
// The longest a timer can wait; a later expiry is looked at again then.
const maxTimer = 2 ** 31 - 1;

/**
 * Puts one question at a time, in the order they came, because a person reads one. A question whose signal aborts rejects, also while
 * it waits for its turn; one that expires, waiting or shown, is answered with no, and what shows it is told by its signal.
 */
export function serialAsker(asker: Asker): Asker {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask: (question, signal) => {
      const before = turn;
      const over = new AbortController();
      const ended = endOf(question, signal, over);
      const shown = before.then(() => {
        if (over.signal.aborted || isOver(question)) return noAnswer;
        return asker.ask(question, over.signal);
      });
      const answer = Promise.race([ended.promise, shown]).finally(ended.stop);
      // The next question waits for the answer, not for a display that was told to close.
      turn = Promise.allSettled([before, answer]);
      shown.catch(() => undefined);
      return answer.then(sane);
    },
  };
}

/** Whether what is about to run is the call that was approved. `digestOf` is the records' `digest`. */
export function sameCall(approved: string, call: RuleCall, digestOf: (call: RuleCall) => string): boolean {
  return digestOf({ tool: call.tool, input: call.input }) === approved;
}

/** Answers that hold for the rest of a session. */
export interface SessionMemory {
  /** The answer given before to the same asker about the same call, or about what its pattern names. */
  recall(question: Question): Answer | undefined;
  /** Keeps an answer that says so. */
  keep(question: Question, answer: Answer): void;
  /** Forgets a session. */
  forget(session: string | undefined): void;
}

/** Makes a memory. An answer is kept for whoever asked: a yes to the permission default is no yes to a guard. */
export function sessionMemory({ cwd }: { readonly cwd: string }): SessionMemory {
  const kept = new Map<string | undefined, Map<string, { digests: Set<string>; rules: Rules[] }>>();
  const slot = ({ session, who }: Question) => kept.get(session)?.get(who);
  return {
    recall: (question) => {
      const known = slot(question);
      if (!known) return undefined;
      const call = { tool: question.tool, input: question.input };
      if (!known.digests.has(question.digest) && !known.rules.some((rules) => rules(call))) return undefined;
      return { decision: 'allow', reason: 'allowed for this session', remember: 'session' };
    },
    keep: (question, answer) => {
      if (answer.decision !== 'allow' || answer.remember !== 'session') return;
      const { session, who, digest } = question;
      const slots = kept.get(session) ?? new Map<string, { digests: Set<string>; rules: Rules[] }>();
      kept.set(session, slots);
      const known = slots.get(who) ?? { digests: new Set<string>(), rules: [] };
      slots.set(who, known);
      if (answer.pattern === undefined) known.digests.add(digest);
      else known.rules.push(compileRules([parseAllow(answer.pattern)], { cwd }));
    },
    forget: (session) => {
      kept.delete(session);
    },
  };
}

const isOver = ({ expiresAt }: Question): boolean => expiresAt !== undefined && expiresAt <= Date.now();

function endOf(question: Question, signal: AbortSignal, over: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const promise = new Promise<Answer>((resolve, reject) => {
    const aborted = () => {
      over.abort(signal.reason);
      reject(signal.reason);
    };
    const wait = () => {
      const left = (question.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
      if (left <= 0) {
        over.abort(new Error('expired'));
        resolve(noAnswer);
      } else if (left !== Number.POSITIVE_INFINITY) {
        timer = setTimeout(wait, Math.min(left, maxTimer));
      }
    };
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    };
    if (signal.aborted) aborted();
    else {
      signal.addEventListener('abort', aborted, { once: true });
      wait();
    }
  });
  return { promise, stop };
}

// An answer may come from a process or a page: whatever is not clearly a yes is a no.
function sane(answer: Answer): Answer {
  if (typeof answer !== 'object' || answer === null || answer.decision !== 'allow') {
    const reason = typeof answer?.reason === 'string' ? answer.reason.slice(0, 2000) : undefined;
    return { decision: 'deny', ...(reason === undefined ? {} : { reason }) };
  }
  return answer;
}
