import type { Writable } from 'node:stream';

/** A line waiting to be written. `undefined` text: written or withdrawn. */
export interface Outgoing {
  text: string | undefined;
  readonly notice: boolean;
}

export interface OutboxOptions {
  readonly maxBytes: number;
  readonly maxNotices: number;
  /** A notification was dropped for lack of room. */
  readonly onDropped: () => void;
}

export interface Outbox {
  /** `undefined`: no room for a request. A notification always finds room, at the cost of the oldest. */
  send(text: string, notice: boolean): Outgoing | undefined;
  /** Takes a line back if it has not been written; whether it could. */
  withdraw(line: Outgoing): boolean;
  close(): void;
}

/**
 * Writes lines with back-pressure: what the process does not read waits here, bounded, where it can still be taken back,
 * and not in a stream's buffer, where it cannot.
 */
export function createOutbox(stdin: Writable, { maxBytes, maxNotices, onDropped }: OutboxOptions): Outbox {
  let queue: Outgoing[] = [];
  let queuedBytes = 0;
  let notices = 0;
  let blocked = false;
  let closed = false;
  let stale = 0;

  const forget = (line: Outgoing): void => {
    queuedBytes -= line.text?.length ?? 0;
    if (line.notice) notices -= 1;
    line.text = undefined;
  };
  const write = (text: string): void => {
    if (!stdin.write(text)) {
      blocked = true;
      stdin.once('drain', flush);
    }
  };
  const flush = (): void => {
    blocked = false;
    const lines = queue;
    let at = 0;
    while (at < lines.length && !blocked && !closed) {
      const line = lines[at++]!;
      const { text } = line;
      if (text === undefined) continue;
      forget(line);
      write(text);
    }
    queue = lines.slice(at);
    stale = 0;
  };
  const makeRoomForNotice = (size: number): boolean => {
    for (const line of queue) {
      if (notices < maxNotices && queuedBytes + size <= maxBytes) return true;
      if (!line.notice || line.text === undefined) continue;
      forget(line);
      onDropped();
    }
    return notices < maxNotices && queuedBytes + size <= maxBytes;
  };

  return {
    send(text, notice) {
      const line: Outgoing = { text: undefined, notice };
      if (closed || stdin.destroyed || stdin.writableEnded) return line;
      if (!blocked) {
        write(text);
        return line;
      }
      if (notice) {
        if (!makeRoomForNotice(text.length)) {
          onDropped();
          return line;
        }
        notices += 1;
      } else if (queuedBytes + text.length > maxBytes) return undefined;
      line.text = text;
      queuedBytes += text.length;
      queue.push(line);
      return line;
    },
    withdraw(line) {
      if (line.text === undefined) return false;
      forget(line);
      // Calls on a process that reads nothing time out one by one; their places must not pile up.
      stale += 1;
      if (stale > 64) {
        queue = queue.filter((waiting) => waiting.text !== undefined);
        stale = 0;
      }
      return true;
    },
    close() {
      closed = true;
      queue = [];
      stdin.off('drain', flush);
    },
  };
}
