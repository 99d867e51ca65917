import { printError } from '../errors.ts';
import { exit } from '../exit.ts';
import { showEnd } from '../render/ended.ts';
import type { TurnView } from '../render/turn.ts';
import { statusOf } from '../status.ts';
import type { Io } from '../terminal/io.ts';
import type { Workspace } from '../workspace.ts';
import { isSlash, runSlash } from './slash.ts';

/** A conversation: what is typed becomes a turn, steers the one that runs, or is a slash command. */
export interface Conversation {
  readonly busy: () => boolean;
  /** Resolves when everything that the text caused is done. Never rejects. */
  enter(text: string): Promise<void>;
  /** Interrupts what runs: gracefully the first time, at once the second. False if nothing runs. */
  interrupt(): boolean;
  /** Ends the conversation, and whatever runs, with an exit status. */
  end(status: number): void;
  /** Aborts with the exit status when the conversation is over. */
  readonly ended: AbortSignal;
  /** The exit status: that of the first turn that failed, or of what ended it. */
  readonly status: () => number;
}

export function createConversation(io: Io, workspace: Workspace, view: TurnView, json: boolean): Conversation {
  const { agent } = workspace;
  const over = new AbortController();
  let status: number = exit.done;
  let running = 0;
  let presses = 0;

  const say = (text: string): void => {
    if (!json) io.out(text);
  };
  const end = (of: number): void => {
    if (over.signal.aborted) return;
    status = of === exit.done ? status : of;
    agent.interrupt('now', 'the conversation ends');
    over.abort();
  };
  const failed = (error: unknown): void => {
    printError(io, error, json);
    status ||= exit.failed;
  };
  const turn = async (text: string): Promise<void> => {
    presses = 0;
    const result = await agent.submit(text, { onChunk: view.chunk });
    await showEnd(io, json, view, result);
    // An interrupt is the person's own wish, and the conversation goes on.
    if (presses === 0) status ||= statusOf(result);
    if (result.status === 'aborted' && result.hook !== undefined) end(exit.failed);
  };

  const busy = (): boolean => running > 0 || agent.runningTurnId !== undefined;

  return {
    busy,
    async enter(text) {
      if (text.trim() === '' || over.signal.aborted) return;
      try {
        if (isSlash(text)) {
          const context = { workspace, io, say, quit: () => end(exit.done) };
          return await runSlash(text.trim(), context);
        }
        // Also a turn that a hook goes on with is steered, not queued behind.
        if ((await agent.steer(text)) !== 'idle') return;
        running += 1;
        try {
          await turn(text);
        } finally {
          running -= 1;
        }
      } catch (error) {
        failed(error);
      }
    },
    interrupt() {
      if (!busy()) return false;
      presses += 1;
      io.err(presses === 1 ? 'Finishing up. Ctrl-C again ends it at once.\n' : 'Ending it.\n');
      agent.interrupt(presses === 1 ? 'graceful' : 'now', 'the person interrupted');
      return true;
    },
    end,
    ended: over.signal,
    status: () => status,
  };
}
