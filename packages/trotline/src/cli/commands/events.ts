import { events as catalogue, type EventName, TrotlineError } from '@trotline/engine';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { table } from '../terminal/table.ts';

type Definition = (typeof catalogue)[EventName];

/** `trotline events [name]` */
export async function events({ io, json }: Context, [name]: readonly string[]): Promise<number> {
  const all: readonly Definition[] = Object.values(catalogue);
  if (name === undefined) {
    if (json) io.out(`${JSON.stringify({ events: all.map(eventJson) })}\n`);
    else io.out(overview(all, io.outColors.bold));
    return exit.done;
  }
  const event = all.find((known) => known.name === name);
  if (event === undefined)
    throw new TrotlineError('cli.unknown-event', { what: `there is no event ${name}`, ...near(name, all) });
  io.out(json ? `${JSON.stringify(eventJson(event))}\n` : page(event, io.outColors.bold));
  return exit.done;
}

function overview(all: readonly Definition[], bold: (text: string) => string): string {
  const mods = all.filter(({ world }) => world === 'mods');
  const ours = all.filter(({ world }) => world !== 'mods');
  const rows = (list: readonly Definition[]) =>
    table(
      list.map(({ name, doc }) => [name, doc]),
      '  ',
    );
  const parts = [`${bold('Events that mods know')}\n${rows(mods)}`];
  if (ours.length > 0) parts.push(`${bold('Events of our own')} (a mod’s * never selects them)\n${rows(ours)}`);
  return parts.join('\n');
}

function page(event: Definition, bold: (text: string) => string): string {
  const fields = Object.entries(event.fields).map(([field, shape]) => [
    `${field}${shape.optional === true ? '?' : ''}`,
    shape.text(),
    shape.rewritable === true ? 'may be rewritten' : 'pinned',
  ]);
  const notes = [
    event.stream ? 'It streams: a hook may be an async generator.' : '',
    event.observe ? 'Hooks only observe it: what they return changes nothing.' : '',
    event.refusal === undefined ? '' : `A hook that fails closed refuses with ${JSON.stringify(event.refusal('…'))}.`,
    `A hook has ${event.budgetMs} ms of its own time.`,
  ].filter((note) => note !== '');
  return [
    `${bold(event.name)}  ${event.doc}\n`,
    `\n${bold('Fields')}\n${table(fields, '  ')}`,
    event.observe ? '' : `\n${bold('Result')}\n  ${event.result.text()}\n`,
    `\n${notes.map((note) => `${note}\n`).join('')}`,
  ].join('');
}

const eventJson = (event: Definition) => ({
  name: event.name,
  doc: event.doc,
  world: event.world,
  stream: event.stream,
  observe: event.observe,
  budgetMs: event.budgetMs,
  fields: Object.fromEntries(
    Object.entries(event.fields).map(([field, shape]) => [
      field,
      { schema: shape.schema(), optional: shape.optional === true, rewritable: shape.rewritable === true },
    ]),
  ),
  result: event.result.schema(),
});

/** The names a mistyped one may have meant: the same noun, or the same verb. */
function near(name: string, all: readonly Definition[]): { expected?: string } {
  const [noun, verb] = name.toLowerCase().split('.');
  const alike = all.filter((event) => {
    const [itsNoun, itsVerb] = event.name.split('.');
    return itsNoun === noun || (verb !== undefined && itsVerb === verb) || event.name.includes(name.toLowerCase());
  });
  return alike.length === 0
    ? {}
    : {
        expected: alike
          .slice(0, 8)
          .map((event) => event.name)
          .join(', '),
      };
}
