const NEWLINE = 10;

export interface LineSplitterOptions {
  /** Longest line handed on, newline excluded. */
  readonly maxBytes: number;
  /** How much of an oversized line's head and tail is kept to say whose it was. */
  readonly keepBytes: number;
  readonly onLine: (line: Buffer) => void;
  /** Called once for each oversized line, when it ends. */
  readonly onOversized: (line: { readonly head: Buffer; readonly tail: Buffer; readonly bytes: number }) => void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The stream ended: a last line without newline counts as a line. */
  end(): void;
}

/**
 * Splits a byte stream into lines of bounded length. Memory stays under `maxBytes` plus one chunk whatever the other side
 * sends, and an oversized line costs only itself: the next one is read as usual.
 */
export function createLineSplitter({ maxBytes, keepBytes, onLine, onOversized }: LineSplitterOptions): LineSplitter {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | undefined;
  let tail: Buffer = Buffer.alloc(0);

  const finish = (): void => {
    const bytes = size;
    const kept = parts;
    const cut = head;
    const end = tail;
    parts = [];
    size = 0;
    head = undefined;
    tail = Buffer.alloc(0);
    if (cut !== undefined) onOversized({ head: cut, tail: end, bytes });
    else onLine(kept.length === 1 ? kept[0]! : Buffer.concat(kept, bytes));
  };

  const take = (piece: Buffer): void => {
    size += piece.length;
    if (head === undefined && size <= maxBytes) {
      parts.push(piece);
      return;
    }
    if (head === undefined) {
      const all = Buffer.concat([...parts, piece]);
      head = Buffer.from(all.subarray(0, keepBytes));
      tail = Buffer.from(all.subarray(-keepBytes));
      parts = [];
      return;
    }
    tail = Buffer.from(Buffer.concat([tail, piece.subarray(-keepBytes)]).subarray(-keepBytes));
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
        const piece = chunk.subarray(start, at);
        start = at + 1;
        if (size === 0 && piece.length <= maxBytes) onLine(piece);
        else {
          take(piece);
          finish();
        }
      }
      if (start < chunk.length) take(chunk.subarray(start));
    },
    end() {
      if (size > 0) finish();
    },
  };
}
