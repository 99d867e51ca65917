/** What a person sends to a working loop. */
export interface Inbox {
  /** Messages waiting for the next request. */
  readonly waiting: () => number;
  steer(text: string): number;
  /** Takes all that waits. */
  take(): readonly string[];
  /** Set once: the loop is to end with a summary. */
  readonly graceful: () => boolean;
  interrupt(): void;
}

/** An empty inbox; one for each turn. */
export function createInbox(): Inbox {
  let queue: string[] = [];
  let graceful = false;
  return {
    waiting: () => queue.length,
    steer: (text) => queue.push(text),
    take() {
      const taken = queue;
      queue = [];
      return taken;
    },
    graceful: () => graceful,
    interrupt() {
      graceful = true;
    },
  };
}
