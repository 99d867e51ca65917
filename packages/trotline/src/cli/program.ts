import { TrotlineError } from '@trotline/engine';
import { Command, CommanderError, Option } from 'commander';
import type { CommandSpec, Context } from './command.ts';
import { commands } from './commands.ts';
import { printError } from './errors.ts';
import { exit, exitOf } from './exit.ts';
import { type Io, processIo } from './terminal/io.ts';

/** Parses a command line, runs its command and answers the exit status. Never throws, never prints a stack trace. */
export async function main(argv: readonly string[], version: string, stdoutGone: AbortSignal): Promise<number> {
  const io = processIo();
  // Known before parsing, so that a wrong command line is told in the form that was asked for.
  const json = argv.includes('--json');
  let status: number = exit.done;
  const program: Command = build(io, version, async (spec, args, options) => {
    const context: Context = { io, json, version, stdoutGone, program, specs: commands };
    const run = (await spec.load()) as (context: Context, args: readonly string[], options: object) => Promise<number>;
    status = await run(context, args, options);
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exit.done;
      // A command that only groups others was named alone, and its help is printed already.
      if (error.code === 'commander.help') return exit.misuse;
      printError(io, usageError(error), json);
      return exit.misuse;
    }
    printError(io, error, json);
    const { wantsDemo } = await import('./offer.ts');
    if (json || !(await wantsDemo(io, error))) return exitOf(error);
    return main(['demo'], version, stdoutGone);
  }
}

/**
 * Errors that nobody awaits: other people's code runs in this process. A rejection is told and the work goes on; after an
 * exception nobody knows what still holds, so it ends.
 */
export function catchStrays(): void {
  const json = process.argv.includes('--json');
  process.on('unhandledRejection', (reason) => printError(processIo(), reason, json));
  process.on('uncaughtException', (error) => {
    printError(processIo(), error, json);
    process.exit(exit.failed);
  });
}

type Perform = (spec: CommandSpec, args: readonly string[], options: object) => Promise<void>;

/** The tree of commands. `perform` is what a parsed command line comes to. */
function build(io: Pick<Io, 'out' | 'err' | 'outColors' | 'columns'>, version: string, perform: Perform): Command {
  const program = prepare(new Command('trotline'), io)
    .description('One line between an AI agent and the world, carrying many hooks.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      `\n${exampleText(io, [
        ['trotline demo', 'see it work: no key, no network'],
        ['trotline init', 'a configuration and a first hook'],
        ['trotline run "list the files" --model anthropic/claude-sonnet-4-5', 'one task'],
        ['trotline hooks', 'who stands on the line, in order'],
      ])}`,
    );
  for (const spec of commands) {
    const parent = parentOf(program, spec, io);
    const command = prepare(parent.command(lastWord(spec.name)), io)
      .description(spec.doc)
      .helpOption('-h, --help', 'print this help')
      .addHelpText('after', `\n${exampleText(io, spec.examples)}`);
    for (const [syntax, doc] of spec.args ?? []) command.argument(syntax, doc);
    for (const { flags, doc, many, choices } of spec.options ?? []) {
      const option = new Option(flags, doc);
      if (choices !== undefined) option.choices(choices);
      if (many === true) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
      command.addOption(option);
    }
    command.addOption(new Option('--json', 'machine-readable output'));
    command.action(async (...given: unknown[]) => {
      const words = given.slice(0, command.registeredArguments.length).flat();
      await perform(
        spec,
        words.filter((word): word is string => typeof word === 'string'),
        command.opts(),
      );
    });
  }
  return program;
}

function prepare(command: Command, io: Pick<Io, 'out' | 'err' | 'outColors' | 'columns'>): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({
      helpWidth: Math.min(io.columns(), 120),
      styleTitle: (title) => io.outColors.bold(title),
    })
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => {} });
}

/** `sessions list` stands beneath a command of its own. */
function parentOf(program: Command, spec: CommandSpec, io: Pick<Io, 'out' | 'err' | 'outColors' | 'columns'>): Command {
  const words = spec.name.split(' ');
  if (words.length === 1) return program;
  const [name = ''] = words;
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = prepare(program.command(name), io);
  return group.description(
    commands
      .filter(({ name: other }) => other.startsWith(`${name} `))
      .map(({ doc }) => doc)
      .join(' '),
  );
}

const lastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);

function exampleText(io: Pick<Io, 'outColors'>, examples: CommandSpec['examples']): string {
  const longest = Math.min(Math.max(...examples.map(([line]) => line.length)), 48);
  const lines = examples.map(([line, does]) => `  ${line.padEnd(longest)}  ${io.outColors.dim(`# ${does}`)}`);
  return [io.outColors.bold('Examples:'), ...lines].join('\n');
}

function usageError(error: CommanderError): TrotlineError {
  const what = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replace(/\n\(?(Did you mean .*\?)\)?$/, ' ($1)');
  return new TrotlineError('cli.usage', { what });
}
