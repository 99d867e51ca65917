import { TrotlineError } from '@trotline/engine';
import type { Command } from 'commander';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';

interface Completable {
  /** The words after `trotline`: empty for itself, `sessions list` for a command beneath another. */
  readonly path: string;
  readonly doc: string;
  readonly commands: readonly { readonly name: string; readonly doc: string }[];
  readonly options: readonly {
    readonly long: string;
    readonly doc: string;
    readonly takesValue: boolean;
    readonly choices: readonly string[];
  }[];
}

const shells: Readonly<Record<string, (all: readonly Completable[]) => string>> = { bash, zsh, fish };

/** `trotline completion <shell>` */
export async function completion({ io, json, program }: Context, [shell = '']: readonly string[]): Promise<number> {
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (write === undefined) {
    throw new TrotlineError('cli.usage', {
      what: `there is no completion for ${shell}`,
      expected: Object.keys(shells).join(', '),
      remedy: 'Run trotline completion bash, zsh or fish.',
    });
  }
  const script = write(collect(program));
  io.out(json ? `${JSON.stringify({ shell, script })}\n` : script);
  return exit.done;
}

/** Read from the program itself, so that a completion never names what does not exist. */
function collect(command: Command, path = ''): Completable[] {
  const self: Completable = {
    path,
    doc: command.description(),
    commands: command.commands.map((child) => ({ name: child.name(), doc: child.description() })),
    options: command.options
      .filter(({ long }) => typeof long === 'string')
      .map(({ long, description, required, optional, argChoices }) => ({
        long: long ?? '',
        doc: description,
        takesValue: required || optional,
        choices: argChoices ?? [],
      })),
  };
  const below = command.commands.flatMap((child) =>
    collect(child, path === '' ? child.name() : `${path} ${child.name()}`),
  );
  return [self, ...below];
}

const words = ({ commands, options }: Completable): string =>
  [...commands.map(({ name }) => name), ...options.map(({ long }) => long), '--help'].join(' ');

/** Options after which the shell should complete a file name, or the choices. */
const valued = (all: readonly Completable[]) => {
  const seen = new Map<string, readonly string[]>();
  for (const { options } of all) {
    for (const { long, takesValue, choices } of options) if (takesValue) seen.set(long, choices);
  }
  return [...seen];
};

function bash(all: readonly Completable[]): string {
  const values = valued(all).map(([long, choices]) =>
    choices.length > 0
      ? `    ${long}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word")); return ;;`
      : `    ${long}) COMPREPLY=($(compgen -f -- "$word")); return ;;`,
  );
  const paths = all.map((at) => `    "${at.path}") words="${words(at)}" ;;`);
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
    const commands = at.commands.map(({ name, doc }) => `        '${name}:${quote(doc)}'`);
    const options = at.options.map(({ long, doc }) => `        '${long}:${quote(doc)}'`);
    return `    "${at.path}")\n      items=(\n${[...commands, ...options, "        '--help:print the help'"].join('\n')}\n      ) ;;`;
  });
  const known = all.map(({ path }) => path).filter((path) => path !== '');
  const values = valued(all).map(([long, choices]) =>
    choices.length > 0 ? `    ${long}) compadd -- ${choices.join(' ')}; return ;;` : `    ${long}) _files; return ;;`,
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
  const lines = ['# trotline completion for fish', 'complete -c trotline -f'];
  for (const at of all) {
    const parts = at.path.split(' ').filter((part) => part !== '');
    const under = parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    const when = quote(under === '' ? '__fish_use_subcommand' : under);
    for (const { name, doc } of at.commands) lines.push(`complete -c trotline -n ${when} -a ${name} -d ${quote(doc)}`);
    for (const { long, doc, takesValue, choices } of at.options) {
      const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r -F' : '';
      lines.push(`complete -c trotline -n ${when} -l ${long.slice(2)} -d ${quote(doc)}${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
