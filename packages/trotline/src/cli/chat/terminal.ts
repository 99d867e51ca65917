import { createInterface, type Interface } from 'node:readline';
import { exit } from '../exit.ts';
import type { Io } from '../terminal/io.ts';
import { noAnswer, type Prompt } from '../terminal/lines.ts';
import type { Conversation } from './conversation.ts';
import { readHistory, writeHistory } from './history.ts';
import { createScreen } from './screen.ts';
import { slashNames } from './slash.ts';

/** Lines that come in one go, as a paste does, are one message. */
const pasteMs = 20;

/** A terminal that is read all the time: lines are messages, or answers to the question that stands open. */
export interface ChatTerminal {
  /** The outside as the rest of the program sees it, drawn above what is being typed. */
  readonly io: Io;
  readonly prompt: Prompt;
  /** Talks until the conversation is over. */
  talk(conversation: Conversation): Promise<void>;
  /** Gives the terminal back. */
  close(): void;
}

export function createChatTerminal(io: Io): ChatTerminal {
  const history = readHistory(io.env);
  const lines = createInterface({
    input: io.stdin,
    output: process.stdout,
    terminal: true,
    history,
    historySize: 500,
    removeHistoryDuplicates: true,
    completer: (line: string) => [line.startsWith('/') ? slashNames.filter((name) => name.startsWith(line)) : [], line],
  });
  let answering: ((answer: string | typeof noAnswer) => void) | undefined;
  const screen = createScreen(lines, process.stdout, () => answering !== undefined);
  const ready = `${io.outColors.bold('›')} `;

  const prompt: Prompt = (text, signal) =>
    new Promise((resolve, reject) => {
      // What is half typed was not meant as the answer: it is put aside.
      const typed = takeTyped(lines);
      screen.finishLine();
      const settle = (act: () => void): void => {
        answering = undefined;
        signal.removeEventListener('abort', onAbort);
        lines.setPrompt('');
        act();
        if (typed !== '') lines.write(typed);
      };
      const onAbort = (): void => {
        takeTyped(lines);
        process.stdout.write('\n');
        settle(() => reject(signal.reason));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      answering = (answer) => settle(() => resolve(answer));
      lines.setPrompt(text);
      lines.prompt();
    });

  const talk = (conversation: Conversation): Promise<void> =>
    new Promise((resolve) => {
      let pending: string[] = [];
      let pressed = false;
      const idle = (): void => {
        if (conversation.busy() || conversation.ended.aborted) return;
        screen.finishLine();
        lines.setPrompt(ready);
        lines.prompt(true);
      };
      const enter = (): void => {
        const text = pending.join('\n');
        pending = [];
        lines.setPrompt('');
        void conversation.enter(text).then(idle);
      };
      lines.on('line', (line) => {
        if (answering !== undefined) return answering(line);
        pressed = false;
        if (pending.length === 0) setTimeout(enter, pasteMs);
        pending.push(line);
      });
      const interrupt = (): void => {
        if (answering !== undefined) {
          takeTyped(lines);
          process.stdout.write('\n');
          answering(noAnswer);
        } else if (!conversation.interrupt()) {
          const typed = takeTyped(lines);
          if (typed === '' && pressed) conversation.end(exit.interrupted);
          else if (typed === '') process.stdout.write('\nCtrl-C again ends the conversation.\n');
          pressed = typed === '';
          idle();
          return;
        }
        pressed = false;
      };
      lines.on('SIGINT', interrupt);
      process.on('SIGINT', interrupt);
      const ends = [
        ['SIGTERM', () => conversation.end(143)],
        ['SIGHUP', () => conversation.end(129)],
      ] as const;
      for (const [signal, end] of ends) process.on(signal, end);
      const over = (): void => {
        process.off('SIGINT', interrupt);
        for (const [signal, end] of ends) process.off(signal, end);
        conversation.ended.removeEventListener('abort', over);
        answering?.(noAnswer);
        lines.removeAllListeners('close');
        lines.close();
        writeHistory(io.env, (lines as Interface & { history?: readonly string[] }).history ?? []);
        resolve();
      };
      conversation.ended.addEventListener('abort', over, { once: true });
      lines.on('close', () => {
        process.stdout.write('\n');
        conversation.end(exit.done);
      });
      idle();
    });

  return {
    io: { ...io, out: screen.write, err: screen.write, errColors: io.outColors },
    prompt,
    talk,
    close: () => lines.close(),
  };
}

/** Clears the line that is being typed and answers what stood there. */
function takeTyped(lines: Interface): string {
  const typed = lines.line;
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
  return typed;
}
