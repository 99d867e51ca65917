import { createInterface, type Interface } from 'node:readline';
import type { Io } from './io.ts';

/** Ctrl-C or end of input instead of an answer. */
export const noAnswer = Symbol('no answer');

/** How a question reaches the person: the text is shown, one line comes back. Rejects when `signal` aborts. */
export type Prompt = (text: string, signal: AbortSignal) => Promise<string | typeof noAnswer>;

/** How long what was typed before a question was shown keeps coming in. */
const settleMs = 60;

/**
 * Prompts on a terminal that nobody else reads. What was typed before the question was shown is dropped: it cannot have
 * been meant as its answer.
 */
export function terminalPrompt(io: Io): Prompt {
  return async (text, signal) => {
    signal.throwIfAborted();
    await dropTyped(io);
    signal.throwIfAborted();
    const lines = createInterface({ input: io.stdin, output: process.stderr, terminal: true, historySize: 0 });
    return answerFrom(lines, text, signal);
  };
}

function answerFrom(lines: Interface, text: string, signal: AbortSignal): Promise<string | typeof noAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      lines.removeAllListeners();
      lines.close();
      act();
    };
    const onAbort = (): void => settle(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    lines.once('SIGINT', () => {
      lines.write('\n');
      settle(() => resolve(noAnswer));
    });
    lines.once('close', () => settle(() => resolve(noAnswer)));
    lines.question(text, (answer) => settle(() => resolve(answer)));
  });
}

async function dropTyped({ stdin }: Io): Promise<void> {
  const drop = (): void => {};
  stdin.setRawMode?.(true);
  stdin.on('data', drop);
  stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  stdin.off('data', drop);
  stdin.pause();
  stdin.setRawMode?.(false);
}

/** Only a plain yes is one. */
export const isYes = (answer: string | typeof noAnswer): boolean =>
  typeof answer === 'string' && /^y(es)?$/i.test(answer.trim());
