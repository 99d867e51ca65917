import { clearLine, cursorTo, type Interface } from 'node:readline';

/** Writes above a line that is being typed, without mixing the two. */
export interface Screen {
  write(text: string): void;
  /** Ends a line that was begun, so that something else can start at its beginning. */
  finishLine(): void;
}

/**
 * While nothing is typed, text appears as it comes. While something is, whole lines appear above it, and what is typed
 * is drawn again beneath.
 */
export function createScreen(lines: Interface, output: NodeJS.WriteStream, asking: () => boolean): Screen {
  let held = '';
  let atLineStart = true;
  const direct = (text: string): void => {
    if (text === '') return;
    output.write(text);
    atLineStart = text.endsWith('\n');
  };
  const above = (text: string): void => {
    clearLine(output, 0);
    cursorTo(output, 0);
    output.write(text);
    atLineStart = true;
    lines.prompt(true);
  };
  return {
    write(text) {
      held += text;
      if (lines.line === '' && !asking()) {
        direct(held);
        held = '';
        return;
      }
      const end = held.lastIndexOf('\n') + 1;
      if (end === 0) return;
      above(held.slice(0, end));
      held = held.slice(end);
    },
    finishLine() {
      if (held !== '') direct(held);
      held = '';
      if (!atLineStart) direct('\n');
    },
  };
}
