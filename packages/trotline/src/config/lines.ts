/** Where an offset stands. Lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Lines {
  at(offset: number): { readonly line: number; readonly column: number };
}

/** Line starts of a text, found once; a place is then a binary search. */
export function linesOf(text: string): Lines {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 13 && text.charCodeAt(i + 1) === 10) continue;
    if (char === 10 || char === 13) starts.push(i + 1);
  }
  return {
    at(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}
