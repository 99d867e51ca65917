import { TrotlineError } from '@trotline/engine';
import type { TurnResult } from '../../agent/index.ts';
import type { Context } from '../command.ts';
import { printError } from '../errors.ts';
import { onInterrupt } from '../interrupt.ts';
import { createJsonView, printJson } from '../render/ndjson.ts';
import { createTurnView } from '../render/turn.ts';
import { statusOf } from '../status.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { Io } from '../terminal/io.ts';
import { terminalPrompt } from '../terminal/lines.ts';
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
  const asker = io.interactive ? createTerminalAsker(io, terminalPrompt(io)) : undefined;
  const { line, agent, model, close } = await openWorkspace(io, options, asker);
  const view = (json ? createJsonView : createTurnView)(io, { trace: options.trace === true });
  const interrupts = onInterrupt(agent, json ? () => {} : io.err, stdoutGone);
  const observer = line.observe((seen) => view.observed(seen));
  let result: TurnResult | undefined;
  try {
    if (json) printJson(io, { type: 'session', id: agent.sessionId, cwd: line.cwd, model: model.id });
    const onChunk = view.chunk;
    result = task.trim() === '' ? await agent.resume({ onChunk }) : await agent.submit(task, { onChunk });
    // Observers are told after the fact, in turns of their own.
    await new Promise((resolve) => setImmediate(resolve));
    if (result === undefined)
      throw new TrotlineError('cli.no-task', { what: 'the session has no unfinished turn, and no task was given' });
    view.end(result);
    if (result.error !== undefined && !json) printError(io, result.error, false);
  } finally {
    observer();
    interrupts.stop();
    await close();
  }
  return interrupts.status() ?? statusOf(result);
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
