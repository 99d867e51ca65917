import { TrotlineError } from '@trotline/engine';
import type { AgentOptions, TurnResult } from '../../agent/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { type Interrupts, onInterrupt } from '../interrupt.ts';
import { showEnd, tellOwnTurn } from '../render/ended.ts';
import { createJsonView, printJson } from '../render/ndjson.ts';
import { createTurnView } from '../render/turn.ts';
import { statusOf } from '../status.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { Io } from '../terminal/io.ts';
import { terminalPrompt } from '../terminal/lines.ts';
import { settleTrust } from '../trust/settle.ts';
import { openWorkspace, type WorkOptions } from '../workspace.ts';

/** No task is longer than this. */
const maxTaskBytes = 10_000_000;

/** `trotline run "task"` */
export async function run(
  { io, json, stdoutGone }: Context,
  [given]: readonly string[],
  options: WorkOptions,
): Promise<number> {
  const goesOn = options.continue === true || options.resume !== undefined;
  const task = given === '-' ? await readAll(io) : (given ?? '');
  if (task.trim() === '' && !(goesOn && given === undefined))
    throw new TrotlineError('cli.no-task', { what: 'there is no task' });
  const prompt = io.interactive ? terminalPrompt(io) : undefined;
  const asker = prompt === undefined ? undefined : createTerminalAsker(io, prompt);
  const view = (json ? createJsonView : createTurnView)(io, { trace: options.trace === true });
  const onChunk = view.chunk;
  let status: number = exit.done;
  const ended = async (result: TurnResult): Promise<void> => {
    await showEnd(io, json, view, result);
    status ||= statusOf(result);
  };
  let interrupts: Interrupts | undefined;
  let tellFirst = (): void => {};
  const firstTold = new Promise<void>((resolve) => {
    tellFirst = resolve;
  });
  const ownTurn: AgentOptions['ownTurn'] = async (turn) => {
    await firstTold;
    // Whoever interrupts wants it to end: no hook goes on then.
    if (interrupts?.status() !== undefined) return 'drop';
    tellOwnTurn(io, json, turn);
    return { onChunk, onEnd: ended };
  };
  await settleTrust(io, options, prompt);
  const { line, agent, model, close } = await openWorkspace(io, options, { asker, onResult: view.result, ownTurn });
  interrupts = onInterrupt(agent, json ? () => {} : io.err, stdoutGone);
  const observer = line.observe((seen) => view.observed(seen));
  try {
    if (json) printJson(io, { type: 'session', id: agent.sessionId, cwd: line.cwd, model: model.id });
    const result = task.trim() === '' ? await agent.resume({ onChunk }) : await agent.submit(task, { onChunk });
    if (result === undefined)
      throw new TrotlineError('cli.no-task', { what: 'the session has no unfinished turn, and no task was given' });
    await ended(result);
    tellFirst();
    await agent.idle();
  } finally {
    tellFirst();
    observer();
    interrupts.stop();
    await close();
  }
  return interrupts.status() ?? status;
}

async function readAll({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > maxTaskBytes)
      throw new TrotlineError('cli.no-task', { what: `the task is longer than ${maxTaskBytes} bytes` });
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
