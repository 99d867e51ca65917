const MAX_LINES = 6;
const MAX_LENGTH = 800;

/** Frames and banners that say nothing about what went wrong, and the marks beneath a quoted line. */
const filler = /^\s*(at\s.*|Node\.js v.*|[\s^~]*)$/;
/** Where an interpreter says something is wrong: Python, JavaScript, Ruby, shells. */
const places = /(^\s*File "[^"]+", line \d+)|(^\S+\.\w+:\d+)|(: line \d+:)|(^\S+: \d+: )/;

/**
 * The end of what a program printed to stderr, as one bounded line: it is there to tell its author what went wrong. Frames of
 * a stack give way to the lines that name a file and a line of it.
 */
export function lastWords(stderr: readonly string[]): string {
  const lines = stderr.filter((line) => !filler.test(line));
  const late = lines.length - MAX_LINES;
  const place = lines.findLastIndex((line, at) => at < late && places.test(line));
  const shown = [
    ...(place < 0 || lines.slice(late).some((line) => places.test(line)) ? [] : [lines[place]!]),
    ...lines.slice(-MAX_LINES),
  ];
  const text = shown.map((line) => escaped(line.trim())).join(' | ');
  return text.length > MAX_LENGTH ? `… ${text.slice(-MAX_LENGTH)}` : text;
}

/** A text that may come from anywhere, with nothing left in it that moves a cursor or turns the reading direction. */
export function escaped(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
