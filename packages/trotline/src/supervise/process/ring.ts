/** The last `capacity` lines, oldest first. */
export interface Ring {
  push(line: string): void;
  lines(): string[];
}

export function createRing(capacity: number): Ring {
  const slots: string[] = [];
  let next = 0;
  return {
    push(line) {
      if (slots.length < capacity) slots.push(line);
      else slots[next] = line;
      next = (next + 1) % Math.max(1, capacity);
    },
    lines: () => (slots.length < capacity ? [...slots] : [...slots.slice(next), ...slots.slice(0, next)]),
  };
}
