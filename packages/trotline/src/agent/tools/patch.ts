/** One hunk of a unified diff; `lines` begin with a space, `-` or `+`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

const around = 3;

/** What changed between two texts, as one hunk from the first changed line to the last, with three lines around it. */
export function patchOf(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const [old, now] = [before, after].map((text) => (text === '' ? [] : text.split('\n'))) as [string[], string[]];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;

  const from = Math.max(head - around, 0);
  const oldEnd = old.length - tail;
  const newEnd = now.length - tail;
  const after_ = old.slice(oldEnd, oldEnd + around);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, oldEnd).map((line) => `-${line}`),
    ...now.slice(head, newEnd).map((line) => `+${line}`),
    ...after_.map((line) => ` ${line}`),
  ];
  return [
    {
      oldStart: old.length === 0 ? 0 : from + 1,
      oldLines: oldEnd + after_.length - from,
      newStart: now.length === 0 ? 0 : from + 1,
      newLines: newEnd + after_.length - from,
      lines,
    },
  ];
}
