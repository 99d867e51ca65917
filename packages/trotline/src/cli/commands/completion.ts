import { events, TrotlineError, tools } from '@trotline/engine';
import type { Command } from 'commander';
import { didYouMean, loadConfig } from '../../config/index.ts';
import type { CommandSpec, Context, Values } from '../command.ts';
import { exit } from '../exit.ts';
import { withRecords } from '../records.ts';
import type { Io } from '../terminal/io.ts';

interface Completable {
  /** The words after `trotline`: empty for itself, `sessions list` for a command beneath another. */
  readonly path: string;
  readonly doc: string;
  readonly commands: readonly { readonly name: string; readonly doc: string }[];
  readonly options: readonly {
    readonly long: string;
    readonly doc: string;
    readonly takesValue: boolean;
    readonly words: Words | undefined;
  }[];
  /** What its argument may be. */
  readonly words: Words | undefined;
}

/** Words that a script holds, or the name of those that it asks `trotline completion words NAME` for. */
type Words = readonly string[] | 'hooks' | 'sessions';

const shells: Readonly<Record<string, (all: readonly Completable[]) => string>> = { bash, zsh, fish };

/** `trotline completion <shell>` */
export async function completion(
  { io, json, program, specs }: Context,
  [shell = '', of = '']: readonly string[],
): Promise<number> {
  if (shell === 'words') return words(io, of);
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (write === undefined) {
    throw new TrotlineError('cli.usage', {
      what: `there is no completion for ${shell}${didYouMean(shell, Object.keys(shells))}`,
      expected: Object.keys(shells).join(', '),
      remedy: 'Run trotline completion bash, zsh or fish.',
    });
  }
  const script = write(collect(program, specs));
  io.out(json ? `${JSON.stringify({ shell, script })}\n` : script);
  return exit.done;
}

/** What a script has to ask for, one a line. Nothing of a project is started for it. */
async function words(io: Io, of: string): Promise<number> {
  if (of !== 'hooks' && of !== 'sessions')
    throw new TrotlineError('cli.usage', { what: `there are no words of ${of}`, expected: 'hooks, sessions' });
  const found =
    of === 'sessions'
      ? (await withRecords(io, ({ sessions }) => sessions.list({ limit: 50 }))).map(({ id }) => id)
      : (await loadConfig({ cwd: io.cwd, env: io.env })).layers.flatMap(({ hooks }) => hooks.map(({ name }) => name));
  // A shell splits and expands what it completes with.
  for (const word of new Set(found)) if (/^[\w.@%+-]+$/.test(word)) io.out(`${word}\n`);
  return exit.done;
}

const lists: Readonly<Record<Values, Words>> = {
  events: Object.keys(events),
  'events and tools': [...Object.keys(tools), ...Object.keys(events)],
  hooks: 'hooks',
  sessions: 'sessions',
  shells: Object.keys(shells),
  tools: Object.keys(tools),
};

const listOf = (values: Values | undefined): Words | undefined => (values === undefined ? undefined : lists[values]);

/** Read from the program itself, so that a completion never names what does not exist. */
function collect(command: Command, specs: readonly CommandSpec[], path = ''): Completable[] {
  const spec = specs.find(({ name }) => name === path);
  const valuesOf = (long: string): Words | undefined =>
    listOf(spec?.options?.find(({ flags }) => flags.split(/[ ,]/).includes(long))?.values);
  const self: Completable = {
    path,
    doc: command.description(),
    commands: [
      ...command.commands.map((child) => ({ name: child.name(), doc: child.description() })),
      ...(path === '' ? [{ name: 'help', doc: 'print the help of a command' }] : []),
    ],
    options: command.options
      .filter(({ long }) => typeof long === 'string')
      .map(({ long, description, required, optional, argChoices }) => ({
        long: long ?? '',
        doc: description,
        takesValue: required || optional,
        words: argChoices ?? valuesOf(long ?? ''),
      })),
    words: listOf(spec?.args?.find(([, , values]) => values !== undefined)?.[2]),
  };
  const below = command.commands.flatMap((child) =>
    collect(child, specs, path === '' ? child.name() : `${path} ${child.name()}`),
  );
  return [self, ...below];
}

/** Words as bash and zsh read them; what has to be asked for is asked for when it is needed. */
const inline = (of: Words): string =>
  typeof of === 'string' ? `$(trotline completion words ${of} 2>/dev/null)` : of.join(' ');

const wordsAt = ({ commands: below, options, words: own }: Completable): string =>
  [
    ...below.map(({ name }) => name),
    ...options.map(({ long }) => long),
    '--help',
    ...(own === undefined ? [] : [inline(own)]),
  ].join(' ');

/** Options after which the shell should complete a file name, or words. */
const valued = (all: readonly Completable[]) => {
  const seen = new Map<string, Words | undefined>();
  for (const { options } of all) {
    for (const { long, takesValue, words: own } of options) if (takesValue) seen.set(long, own);
  }
  return [...seen];
};

function bash(all: readonly Completable[]): string {
  const values = valued(all).map(([long, own]) =>
    own !== undefined
      ? `    ${long}) COMPREPLY=($(compgen -W "${inline(own)}" -- "$word")); return ;;`
      : `    ${long}) COMPREPLY=($(compgen -f -- "$word")); return ;;`,
  );
  const paths = all.map((at) => `    "${at.path}") words="${wordsAt(at)}" ;;`);
  const known = all.map(({ path }) => path).filter((path) => path !== '');
  return `# trotline completion for bash. In ~/.bashrc: source <(trotline completion bash)
_trotline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i
  case "$before" in
${values.join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${known.map((path) => `"${path}"`).join('|')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
${paths.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _trotline trotline
`;
}

function zsh(all: readonly Completable[]): string {
  const quote = (text: string): string => text.replaceAll("'", '’').replaceAll(':', '\\:').replace(/[[\]]/g, '\\$&');
  const cases = all.map((at) => {
    const below = at.commands.map(({ name, doc }) => `        '${name}:${quote(doc)}'`);
    const options = at.options.map(({ long, doc }) => `        '${long}:${quote(doc)}'`);
    return `    "${at.path}")\n      items=(\n${[...below, ...options, "        '--help:print the help'"].join('\n')}\n      )${at.words === undefined ? '' : `\n      compadd -- ${inline(at.words)}`} ;;`;
  });
  const known = all.map(({ path }) => path).filter((path) => path !== '');
  const values = valued(all).map(([long, own]) =>
    own !== undefined ? `    ${long}) compadd -- ${inline(own)}; return ;;` : `    ${long}) _files; return ;;`,
  );
  return `#compdef trotline
# trotline completion for zsh. trotline completion zsh > a folder of $fpath, as _trotline
_trotline() {
  local cmd="" i word
  local -a items
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    word="\${cmd:+$cmd }\${words[i]}"
    case "$word" in
      ${known.map((path) => `"${path}"`).join('|')}) cmd="$word" ;;
    esac
  done
  case "$cmd" in
${cases.join('\n')}
  esac
  _describe 'trotline' items
}
_trotline "$@"
`;
}

function fish(all: readonly Completable[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;
  const asked = (of: Words): string => (typeof of === 'string' ? `(trotline completion words ${of})` : of.join(' '));
  const lines = ['# trotline completion for fish', 'complete -c trotline -f'];
  for (const at of all) {
    const parts = at.path.split(' ').filter((part) => part !== '');
    const under = parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    const when = quote(under === '' ? '__fish_use_subcommand' : under);
    for (const { name, doc } of at.commands) lines.push(`complete -c trotline -n ${when} -a ${name} -d ${quote(doc)}`);
    if (at.words !== undefined) lines.push(`complete -c trotline -n ${when} -a ${quote(asked(at.words))}`);
    for (const { long, doc, takesValue, words: own } of at.options) {
      const value = own !== undefined ? ` -x -a ${quote(asked(own))}` : takesValue ? ' -r -F' : '';
      lines.push(`complete -c trotline -n ${when} -l ${long.slice(2)} -d ${quote(doc)}${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
