import type { LineAnswer, LineAsker, LineQuestion } from '../../host/index.ts';
import { oneLine, visible } from './clean.ts';
import type { Io } from './io.ts';
import { noAnswer, type Prompt } from './lines.ts';

/** Of one argument, this much is shown before a person decides; how much is left out is said. */
const maxShown = 2_000;
/** What else would push the rest of the question off the screen. */
const maxLines = 40;
const maxArguments = 40;

/** Asks on the terminal, one question at a time. Ctrl-C, an empty line and the end of input mean no. */
export function createTerminalAsker(io: Pick<Io, 'err' | 'errColors'>, prompt: Prompt): LineAsker {
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (question: LineQuestion, signal: AbortSignal): Promise<LineAnswer> => {
    signal.throwIfAborted();
    const { errColors: c } = io;
    io.err(questionText(question, c));
    const keys = `${c.bold('y')} once, ${c.bold('s')} for the session, ${c.bold('n')} no, or say why not`;
    const answer = await prompt(`  Allow? (${keys}) `, signal);
    return readAnswer(answer);
  };
  return {
    ask(question, signal) {
      const asked = last.then(() => ask(question, signal));
      last = asked.catch(() => {});
      return asked;
    },
  };
}

/** What an answer that was typed means. Only a plain yes is one. */
export function readAnswer(typed: string | typeof noAnswer): LineAnswer {
  if (typed === noAnswer) return { decision: 'deny', reason: 'the person said no' };
  const text = typed.trim();
  switch (text.toLowerCase()) {
    case 'y':
    case 'yes':
      return { decision: 'allow', remember: 'once' };
    case 's':
    case 'session':
      return { decision: 'allow', remember: 'session' };
    case '':
    case 'n':
    case 'no':
      return { decision: 'deny', reason: 'the person said no' };
    default:
      return { decision: 'deny', reason: `the person said: ${text.replace(/^no?[\s,:]+/i, '')}` };
  }
}

/** The question as it is shown: who asks, why, and the exact call. */
export function questionText(question: LineQuestion, c: Io['errColors']): string {
  const who = question.agentId === undefined ? '' : ` ${c.dim(`for subagent ${oneLine(question.agentId, 60)}`)}`;
  const lines = [
    `${c.yellow('?')} ${c.bold(oneLine(visible(question.tool), 80))}${who}  ${c.dim(`asked by ${oneLine(question.by, 120)}`)}`,
  ];
  if ((question.reason ?? '') !== '') lines.push(`  ${c.dim('why:')} ${oneLine(question.reason ?? '', 500)}`);
  const given = Object.entries(question.input);
  for (const [name, value] of given.slice(0, maxArguments)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? String(value));
    lines.push(...argumentLines(oneLine(visible(name), 80), text, c));
  }
  const more = given.length - maxArguments;
  if (more > 0) lines.push(`  ${c.yellow(`… ${more} more arguments not shown …`)}`);
  return lines.map((line) => `${line}\n`).join('');
}

function argumentLines(name: string, text: string, c: Io['errColors']): string[] {
  const left = text.length - maxShown;
  // The end of a long text is where something may hide from who reads only its beginning.
  const shown =
    left <= 0
      ? text
      : `${text.slice(0, maxShown * 0.75)}\n… ${left} characters not shown …\n${text.slice(-maxShown * 0.25)}`;
  const [first = '', ...rest] = fewer(visible(shown).split('\n'));
  if (rest.length === 0) return [`  ${c.cyan(`${name}:`)} ${first}`];
  return [`  ${c.cyan(`${name}:`)}`, ...[first, ...rest].map((line) => `    ${c.dim('│')} ${line}`)];
}

/** The first and the last of many lines. */
function fewer(lines: string[]): string[] {
  const left = lines.length - maxLines;
  if (left <= 0) return lines;
  return [...lines.slice(0, maxLines * 0.75), `… ${left} lines not shown …`, ...lines.slice(-maxLines * 0.25)];
}
