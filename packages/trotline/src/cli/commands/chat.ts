import { createInterface } from 'node:readline';
import type { AgentOptions } from '../../agent/index.ts';
import { createConversation } from '../chat/conversation.ts';
import { createChatTerminal } from '../chat/terminal.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { showEnd, tellOwnTurn } from '../render/ended.ts';
import { createJsonView, printJson } from '../render/ndjson.ts';
import { createTurnView, type TurnView } from '../render/turn.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import { clean } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { terminalPrompt } from '../terminal/lines.ts';
import { settleTrust } from '../trust/settle.ts';
import { openWorkspace, type WorkOptions, type Workspace } from '../workspace.ts';

/** `trotline chat` */
export async function chat(context: Context, _: readonly string[], options: WorkOptions): Promise<number> {
  const { io, json } = context;
  return io.interactive && process.stdout.isTTY && !json ? onTerminal(io, options) : piped(context, options);
}

async function onTerminal(outside: Io, options: WorkOptions): Promise<number> {
  await settleTrust(outside, options, terminalPrompt(outside));
  const terminal = createChatTerminal(outside);
  const { io } = terminal;
  const view = createTurnView(io, { trace: options.trace === true });
  let workspace: Workspace;
  try {
    const asker = createTerminalAsker(io, terminal.prompt);
    workspace = await openWorkspace(io, options, {
      asker,
      watch: true,
      onResult: view.result,
      ownTurn: ownTurnOf(io, false, view),
    });
  } catch (error) {
    terminal.close();
    throw error;
  }
  const observer = workspace.line.observe((seen) => view.observed(seen));
  const conversation = createConversation(io, workspace, view, false);
  try {
    io.out(greeting(workspace, io));
    await terminal.talk(conversation);
  } finally {
    observer();
    await workspace.close();
  }
  return conversation.status();
}

/** A turn that a hook goes on with is shown like any other. */
const ownTurnOf =
  (io: Io, json: boolean, view: TurnView): NonNullable<AgentOptions['ownTurn']> =>
  (turn) => {
    tellOwnTurn(io, json, turn);
    return { onChunk: view.chunk, onEnd: (result) => showEnd(io, json, view, result) };
  };

function greeting({ model, line, agent }: Workspace, { outColors: c }: Io): string {
  const ready = line.owners.filter(({ state }) => state === 'ready').length;
  const hooks = ready === 1 ? 'one hook' : `${ready} hooks`;
  return `${c.bold('trotline')} ${c.dim(`${clean(model.id)} in ${clean(line.cwd)}, ${hooks} on the line, session ${agent.sessionId}`)}\n${c.dim('/help shows what can be typed.')}\n`;
}

/** Line by line from stdin: each is a turn, and the next waits for its end. */
async function piped({ io, json, stdoutGone }: Context, options: WorkOptions): Promise<number> {
  await settleTrust(io, options, undefined);
  const view = (json ? createJsonView : createTurnView)(io, { trace: options.trace === true });
  const workspace = await openWorkspace(io, options, { onResult: view.result, ownTurn: ownTurnOf(io, json, view) });
  const observer = workspace.line.observe((seen) => view.observed(seen));
  const conversation = createConversation(io, workspace, view, json);
  const lines = createInterface({ input: io.stdin, terminal: false });
  const ends = [
    ['SIGINT', () => conversation.end(exit.interrupted)],
    ['SIGTERM', () => conversation.end(143)],
    ['SIGHUP', () => conversation.end(129)],
  ] as const;
  for (const [signal, end] of ends) process.on(signal, end);
  const close = (): void => lines.close();
  const gone = (): void => conversation.end(exit.failed);
  conversation.ended.addEventListener('abort', close, { once: true });
  stdoutGone.addEventListener('abort', gone, { once: true });
  try {
    const { agent, line, model } = workspace;
    if (json) printJson(io, { type: 'session', id: agent.sessionId, cwd: line.cwd, model: model.id });
    for await (const text of lines) {
      await conversation.enter(text);
      if (conversation.ended.aborted) break;
    }
    if (!conversation.ended.aborted) await agent.idle();
  } finally {
    for (const [signal, end] of ends) process.off(signal, end);
    stdoutGone.removeEventListener('abort', gone);
    lines.close();
    observer();
    await workspace.close();
  }
  return conversation.status();
}
