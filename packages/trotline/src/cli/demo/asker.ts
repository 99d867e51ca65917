import type { LineAnswer, LineAsker } from '../../host/index.ts';
import { questionText, readAnswer } from '../terminal/asker.ts';
import type { Io } from '../terminal/io.ts';
import { noAnswer, type Prompt } from '../terminal/lines.ts';

/** Long enough to read the question, short enough that a demonstration nobody watches ends. */
const patienceSeconds = 12;

/** Asks whoever sits there and goes on with yes when nobody answers; both are said, and so is who answered. */
export function createDemoAsker(io: Io, prompt: Prompt | undefined): LineAsker {
  const { errColors: c } = io;
  return {
    async ask(question, signal): Promise<LineAnswer> {
      io.err(questionText(question, c));
      if (prompt === undefined) {
        io.err(`  ${c.dim('No terminal to ask on. The demonstration answers by itself:')} ${c.green('y')}\n`);
        return { decision: 'allow', remember: 'once' };
      }
      const patience = AbortSignal.timeout(patienceSeconds * 1000);
      try {
        const text = `  Allow? (${c.bold('y')} yes, ${c.bold('n')} no; yes by itself in ${patienceSeconds} s) `;
        const typed = await prompt(text, AbortSignal.any([signal, patience]));
        return typed !== noAnswer && typed.trim() === '' ? { decision: 'allow', remember: 'once' } : readAnswer(typed);
      } catch (error) {
        if (signal.aborted || !patience.aborted) throw error;
        io.err(`\n  ${c.dim('Nobody answered. The demonstration goes on with')} ${c.green('y')}\n`);
        return { decision: 'allow', remember: 'once' };
      }
    },
  };
}
