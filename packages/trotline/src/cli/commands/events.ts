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

const worlds: Readonly<Record<Definition['world'], string>> = {
  mods: 'Events that mods know',
  op: 'Ops: each call of $ is an event of its own',
  classic: 'Events of settings hooks',
  ours: 'Events of our own; a mod’s * never selects them',
};

function overview(all: readonly Definition[], bold: (text: string) => string): string {
  return (Object.keys(worlds) as Definition['world'][])
    .map((world) => ({ world, of: all.filter((event) => event.world === world) }))
    .filter(({ of }) => of.length > 0)
    .map(
      ({ world, of }) =>
        `${bold(worlds[world])}\n${table(
          of.map(({ name, doc }) => [name, doc]),
          '  ',
        )}`,
    )
    .join('\n');
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
    event.budgetMs === 0 ? '' : `A hook has ${event.budgetMs} ms of its own time.`,
  ].filter((note) => note !== '');
  return [
    `${bold(event.name)}  ${event.doc}\n`,
    event.place === undefined ? '' : `${event.place}\n`,
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
  refuses: event.canRefuse,
  budgetMs: event.budgetMs,
  rewritable: Object.keys(event.fields).filter((field) => event.fields[field]?.rewritable === true),
  event: event.eventSchema(),
  result: event.resultSchema(),
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
