/** Text of unknown length, of which a bounded head and tail are kept. */
export interface Capture {
  add(text: string): void;
  /** Characters seen. */
  readonly length: () => number;
  readonly text: () => string;
}

/** Keeps at most `limit` characters: the first and the last half, with a note between that says how many are gone. */
export function createCapture(limit: number): Capture {
  const half = Math.floor(limit / 2);
  let head = '';
  let tail = '';
  let length = 0;
  return {
    add(text) {
      length += text.length;
      const room = half - head.length;
      if (room > 0) head += text.slice(0, room);
      if (text.length > room) tail = (tail + text.slice(Math.max(room, 0))).slice(-half);
    },
    length: () => length,
    text() {
      const gone = length - head.length - tail.length;
      return gone === 0 ? head + tail : `${head}\n… [${gone} characters left out] …\n${tail}`;
    },
  };
}

/** A text within `limit`, shortened in its middle. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const capture = createCapture(limit);
  capture.add(text);
  return capture.text();
}
