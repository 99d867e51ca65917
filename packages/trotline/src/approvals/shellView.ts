import { assignment, keywords, readShell, type ShellPart } from './shellRead.ts';

/** Everything a command line may run, spelt in every way a deny or ask pattern may have been written for. */
export interface ShellView {
  readonly texts: readonly string[];
  /** It is too long or too tangled to be seen through; whoever wants to stop something has to take it as stopped. */
  readonly opaque: boolean;
}

const maxLength = 262_144;
const maxChars = 2_097_152;
const maxNesting = 8;

const shells = new Set('sh bash dash zsh ksh mksh ash fish busybox su runuser'.split(' '));
// What runs the rest of its words, after options and values that differ from one to the next: every suffix is looked at.
const wrappers = new Set(
  'sudo doas env command builtin exec nohup time nice ionice chrt taskset timeout stdbuf setsid xargs parallel watch chroot unshare nsenter script strace ltrace busybox su runuser flock unbuffer trap'.split(
    ' ',
  ),
);
const findActions = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Looks at a command line for a deny or an ask: the whole, each part, what wrappers and `sh -c` run, with and without quotes and paths. */
export function viewShell(command: string): ShellView {
  const texts = new Set<string>();
  const lines = new Set<string>();
  const commands = new Set<string>();
  let chars = 0;
  let opaque = command.length > maxLength;

  const add = (text: string): void => {
    if (text === '' || texts.has(text)) return;
    texts.add(text);
    spend(text);
  };
  // Whether it is new, so that nothing is read twice.
  const once = (known: Set<string>, key: string): boolean => {
    if (known.has(key)) return false;
    known.add(key);
    spend(key);
    return true;
  };
  const spend = (text: string): void => {
    chars += text.length;
    if (chars > maxChars) opaque = true;
  };

  const line = (source: string, nesting: number): void => {
    if (opaque) return;
    if (nesting > maxNesting) {
      opaque = true;
      return;
    }
    if (!once(lines, source)) return;
    add(source.trim());
    // One operator to bash, two to sh.
    if (source.includes('&>')) line(source.replaceAll('&>', '& >'), nesting + 1);
    const { parts, sure, tangled } = readShell(source);
    if (tangled) opaque = true;
    for (const part of parts) {
      add(part.raw);
      for (const words of spellings(part)) simple(words, nesting);
    }
    // Something is fed to a shell: any of the texts in sight may be the commands.
    if (parts.some(({ words }) => words.some(({ text }) => shells.has(base(text))))) {
      for (const { words } of parts) for (const { text } of words) if (/[\s;&|]/.test(text)) line(text, nesting + 1);
    }
    if (!sure) for (const words of fragments(source)) simple(words, nesting);
  };

  const simple = (words: readonly string[], nesting: number): void => {
    const first = words[0];
    // Words are told apart in the key: `sh -c 'a b'` is not `sh -c a b`.
    if (first === undefined || opaque || !once(commands, words.join('\0'))) return;
    add(words.join(' '));
    const rest = words.slice(1);
    const name = base(first);
    if (name !== first) simple([name, ...rest], nesting);
    // Which program `/bin/r?` names is for the file system to say.
    if (/[*?[]/.test(first) && /[A-Za-z/]/.test(first)) opaque = true;
    if (keywords.has(first) || assignment.test(first)) simple(rest, nesting);
    // `{rm,-rf,x}` is three words once a shell has seen it, and `r{m,}` two.
    const braces = /^([^{]*)\{(.*,.*)\}([^}]*)$/s.exec(first);
    if (braces !== null) {
      const [, before = '', choices = '', after = ''] = braces;
      simple([...choices.split(',').map((choice) => before + choice + after), ...rest], nesting);
    }
    if (wrappers.has(name)) {
      for (let at = 1; at < words.length && !opaque; at++) simple(words.slice(at), nesting);
    }
    // What they read is added to the words they were given.
    if ((name === 'xargs' || name === 'parallel') && words.at(-1) !== '{}') simple([...words, '{}'], nesting);
    if (name === 'find' || name === 'fd') {
      rest.forEach((word, at) => {
        if (findActions.has(word) || /^(?:-x|-X|--exec(?:-batch)?)$/.test(word)) simple(rest.slice(at + 1), nesting);
      });
    }
    if (shells.has(name)) {
      const option = rest.findIndex((word) => /^-[A-Za-z]*c|^--command/.test(word));
      if (option >= 0) for (const word of rest.slice(option)) line(word.replace(/^--command=/, ''), nesting + 1);
    }
    if (name === 'eval' || name === 'trap' || name === 'alias') line(rest.join(' '), nesting + 1);
  };

  if (!opaque) line(command, 0);
  return { texts: [...texts], opaque };
}

const base = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

function* spellings({ words }: ShellPart): Generator<readonly string[]> {
  const written = words.map(({ text }) => text);
  yield written;
  if (words.some(({ text, bare }) => text !== bare)) yield words.map(({ bare }) => bare).filter((bare) => bare !== '');
}

// Where quotes cannot be trusted, they are not: every stretch between signs that could separate commands counts as one.
function* fragments(source: string): Generator<readonly string[]> {
  for (const text of [source, source.replaceAll('\\', '')]) {
    for (const piece of text.split(/[;&|()`{}\n'"<>]/)) {
      const words = piece.split(/[\s$]+/).filter((word) => word !== '');
      if (words.length > 0) yield words;
    }
  }
}
