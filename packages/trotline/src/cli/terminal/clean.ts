// What models, tools, hooks and files say is shown on the person's terminal, and a terminal obeys what it is shown: it
// can be made to hide lines, rename windows, or write to the clipboard. So no control character of theirs reaches it.

const esc = '\\u001b';
/** Whole sequences: CSI, and strings (OSC, DCS, APC, PM, SOS) up to their end, which must come soon. */
const sequences = new RegExp(
  `(?:${esc}\\[|\\u009b)[0-?]*[ -/]*[@-~]|(?:${esc}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]{0,2048}(?:\\u0007|${esc}\\\\|\\u009c)|${esc}[ -/]*[0-~]`,
  'g',
);
/** C0 without newline and tab, DEL, C1, and what reorders text on the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** A sequence that has begun at the end of a chunk. */
const begun = new RegExp(`${esc}(?:\\[[0-?]*[ -/]*|[ -/]*|[\\]PX^_][^\\u0007\\u001b]*)?$`);
const maxHeld = 256;

/** Text without anything a terminal would obey. Newlines and tabs stay. */
export const clean = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(sequences, '').replace(controls, '');

/** The same for text that comes in pieces: a sequence cut in two is still recognised. */
export function createCleaner(): { add(piece: string): string; end(): string } {
  let held = '';
  return {
    add(piece) {
      const text = held + piece;
      const at = text.search(begun);
      held = at >= 0 && text.length - at <= maxHeld ? text.slice(at) : '';
      return clean(held === '' ? text : text.slice(0, at));
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** Text in which control characters are made visible (`\x1b`, `\u202e`): for a call that a person decides about. */
export const visible = (text: string): string =>
  text.replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (character === '\r') return '\\r';
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });

/** At most `limit` characters of one line; what is left out is counted. */
export function oneLine(text: string, limit: number): string {
  const flat = clean(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
    .trim();
  const characters = [...flat];
  if (characters.length <= limit) return flat;
  return `${characters.slice(0, Math.max(limit - 1, 0)).join('')}…`;
}
