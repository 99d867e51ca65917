import { defineCodes } from './define.ts';

/** Errors of the command line itself. */
export const cliCodes = defineCodes({
  'cli.usage': {
    kind: 'error',
    doc: 'The command line was used wrongly: an unknown command or option, or a missing or superfluous argument.',
    remedy: 'See trotline --help, or trotline COMMAND --help for examples.',
  },
  'cli.no-task': {
    kind: 'error',
    doc: 'There is nothing to do: no task was given, or it is empty.',
    remedy: 'Give it in quotes: trotline run "list the files", or on stdin: echo "list the files" | trotline run -',
  },
  'cli.no-folder': {
    kind: 'error',
    doc: 'A folder that was named does not exist.',
    remedy: 'Correct the path or create the folder.',
  },
  'cli.not-trusted': {
    kind: 'error',
    doc: 'A project that was trusted has changed, and the person did not trust the change or could not be asked. Nothing was started.',
    remedy:
      'Read what changed, then run: trotline trust. Or trust it for this run with --trust, or name another configuration with --config FILE.',
  },
  'cli.exists': {
    kind: 'error',
    doc: 'A file that would be written exists already. Nothing was changed.',
    remedy: 'Move it away, or repeat the command with --force to replace it.',
  },
  'cli.unknown-event': {
    kind: 'error',
    doc: 'No event or notice has this name.',
    remedy: 'See all names with trotline events.',
  },
  'cli.bad-input': {
    kind: 'error',
    doc: 'An input given on the command line cannot be read.',
    remedy: 'Write --input \'{"command":"ls"}\', or pairs such as command=ls.',
  },
  'cli.no-session': {
    kind: 'error',
    doc: 'No session of this name is stored.',
    remedy: 'See those that are with trotline sessions list.',
  },
  'cli.no-log': {
    kind: 'error',
    doc: 'No hook of this name has printed anything that is kept.',
    remedy: 'See whose logs there are with trotline logs.',
  },
  'cli.init-failed': {
    kind: 'error',
    doc: 'The hook that init wrote did not give the verdict it should on the sample call.',
    remedy: 'Look at what trotline doctor says; the files stay where they are.',
  },
  'cli.demo-failed': {
    kind: 'error',
    doc: 'The demonstration did not end as it should: an effect is missing, or one is there that should not be.',
    remedy: 'Run it again with --keep and look at the folder; please report it.',
  },
  'cli.internal': {
    kind: 'error',
    doc: 'Something failed that should not have.',
    remedy: 'Run it again with TROTLINE_DEBUG=1 for a stack trace; please report it.',
  },
});
