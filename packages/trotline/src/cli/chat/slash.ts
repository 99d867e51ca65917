import { linkTable } from '../render/links.ts';
import { clean, oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';
import type { Workspace } from '../workspace.ts';

/** What a slash command is handed. */
export interface SlashContext {
  readonly workspace: Workspace;
  readonly io: Pick<Io, 'outColors' | 'room'>;
  readonly say: (text: string) => void;
  readonly quit: () => void;
}

interface Slash {
  readonly usage: string;
  readonly doc: string;
  run(context: SlashContext, rest: string): void | Promise<void>;
}

const slashes: Readonly<Record<string, Slash>> = {
  help: {
    usage: '/help',
    doc: 'this list',
    run: ({ say }) => {
      say(
        table(
          Object.values(slashes).map(({ usage, doc }) => [usage, doc]),
          '  ',
        ),
      );
      say('  While it works, what you type steers it. Ctrl-C interrupts, twice ends it.\n');
      say('  While a question stands, whatever you type is its answer, a slash command too.\n');
    },
  },
  hooks: {
    usage: '/hooks [event]',
    doc: 'who stands on the line',
    run: ({ workspace, io, say }, event) => {
      const links = workspace.line.links(event === '' ? undefined : event);
      if (links.length === 0) return say('No hook stands on the line.\n');
      say(linkTable(links, io, workspace.line.cwd, true));
    },
  },
  compact: {
    usage: '/compact [what to keep]',
    doc: 'shorten the conversation now',
    run: async ({ workspace, say }, instructions) => {
      const done = await workspace.agent.compact(instructions === '' ? undefined : instructions);
      if ('skip' in done) say(`Not shortened: ${oneLine(done.skip, 200)}\n`);
      else say(`Shortened from ${done.tokensBefore} to ${done.tokensAfter} tokens.\n`);
    },
  },
  btw: {
    usage: '/btw question',
    doc: 'ask something aside; nothing of it is kept',
    run: async ({ workspace, io, say }, question) => {
      if (question === '') return say('Ask it on the same line: /btw what does this flag do?\n');
      const answer = await workspace.agent.ask(question);
      say(`${io.outColors.dim('aside:')} ${clean(answer).trim()}\n`);
    },
  },
  quit: { usage: '/quit', doc: 'end the conversation', run: ({ quit }) => quit() },
};

const aliases: Readonly<Record<string, string>> = { exit: 'quit', q: 'quit', '?': 'help' };

/** Whether a line is a slash command: a path such as `/etc/hosts` is none. */
export const isSlash = (text: string): boolean => /^\/[a-z?]+(?:\s|$)/.test(text);

/** Runs a slash command. An unknown one is told, never sent to the model. */
export async function runSlash(text: string, context: SlashContext): Promise<void> {
  const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? '') : name;
  const slash = Object.hasOwn(slashes, known) ? slashes[known] : undefined;
  if (slash === undefined) return context.say(`There is no /${oneLine(name, 40)}. /help shows what there is.\n`);
  await slash.run(context, rest.trim());
}

/** For completion by Tab. */
export const slashNames: readonly string[] = Object.keys(slashes).map((name) => `/${name}`);
