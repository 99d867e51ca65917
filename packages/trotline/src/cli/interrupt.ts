import type { Agent } from '../agent/index.ts';
import { exit } from './exit.ts';

/** What signals and a closed stdout do to a running turn. */
export interface Interrupts {
  /** The exit status that an interrupt asks for; undefined if there was none. */
  status(): number | undefined;
  stop(): void;
}

/**
 * Ctrl-C once lets the model sum up, twice ends the turn at once, a third time the process. SIGTERM, SIGHUP and a reader of
 * stdout that went away end the turn at once.
 */
export function onInterrupt(agent: Agent, say: (text: string) => void, stdoutGone: AbortSignal): Interrupts {
  let status: number | undefined;
  let pressed = 0;
  const sigint = (): void => {
    status = exit.interrupted;
    pressed += 1;
    if (pressed > 2) process.exit(status);
    const how = pressed === 1 ? 'graceful' : 'now';
    say(how === 'graceful' ? 'Finishing up. Ctrl-C again ends it at once.\n' : 'Ending.\n');
    agent.interrupt(how, 'the person interrupted');
  };
  const now = (of: number, why: string) => (): void => {
    status = of;
    agent.interrupt('now', why);
  };
  const term = now(143, 'SIGTERM');
  const hup = now(129, 'SIGHUP');
  const gone = now(exit.failed, 'nobody reads the answer any more');
  process.on('SIGINT', sigint);
  process.on('SIGTERM', term);
  process.on('SIGHUP', hup);
  stdoutGone.addEventListener('abort', gone, { once: true });
  return {
    status: () => status,
    stop: () => {
      process.off('SIGINT', sigint);
      process.off('SIGTERM', term);
      process.off('SIGHUP', hup);
      stdoutGone.removeEventListener('abort', gone);
    },
  };
}
