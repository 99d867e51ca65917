/** Work that goes on beside the turns, such as a subagent that nobody waits for. */
export interface Background {
  /** `signal` aborts when the agent is closed. */
  start(work: (signal: AbortSignal) => Promise<unknown>): void;
  readonly running: () => number;
  /** Resolves once all that runs now has ended. */
  settled(): Promise<void>;
  /** Ends all of it. */
  close(): Promise<void>;
}

/** Nothing yet. `onThrow` is handed what work rejects with. */
export function createBackground(onThrow: (thrown: unknown) => void): Background {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const settled = async (): Promise<void> => {
    await Promise.all(running);
  };
  return {
    start(work) {
      const done: Promise<void> = work(closing.signal)
        .then(() => {}, onThrow)
        .finally(() => running.delete(done));
      running.add(done);
    },
    running: () => running.size,
    settled,
    close() {
      closing.abort(new Error('the agent was closed'));
      return settled();
    },
  };
}
