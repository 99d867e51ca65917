import { events as catalogue, type EventName, type NoticeName, notices, TrotlineError } from '@trotline/engine';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import type { Colors } from '../terminal/io.ts';
import { type Row, table } from '../terminal/table.ts';

type Event = (typeof catalogue)[EventName];
type Notice = (typeof notices)[NoticeName];

/** `trotline events [name]` */
export async function events({ io, json }: Context, [name]: readonly string[]): Promise<number> {
  const allEvents: readonly Event[] = Object.values(catalogue);
  const allNotices: readonly Notice[] = Object.values(notices);
  if (name === undefined) {
    const listed = { events: allEvents.map(eventJson), notices: allNotices.map(noticeJson) };
    io.out(json ? `${JSON.stringify(listed)}\n` : overview(allEvents, allNotices, io.outColors));
    return exit.done;
  }
  const event = allEvents.find((known) => known.name === name);
  const notice = allNotices.find((known) => known.name === name);
  if (event !== undefined) io.out(json ? `${JSON.stringify(eventJson(event))}\n` : eventPage(event, io.outColors));
  else if (notice !== undefined) {
    io.out(json ? `${JSON.stringify(noticeJson(notice))}\n` : noticePage(notice, io.outColors));
  } else {
    const names = [...allEvents, ...allNotices].map((known) => known.name);
    throw new TrotlineError('cli.unknown-event', { what: `there is no event or notice ${name}`, ...near(name, names) });
  }
  return exit.done;
}

const worlds: Readonly<Record<Event['world'], string>> = {
  mods: 'Events of an agent’s work, named as Claude Code mods name them',
  ours: 'Events of our own; a mod’s * never selects them',
  classic: 'Events of settings hooks',
  op: 'Ops: each call of $ is an event of its own',
};

function overview(allEvents: readonly Event[], allNotices: readonly Notice[], c: Colors): string {
  const groups: [title: string, of: readonly (Event | Notice)[]][] = (Object.keys(worlds) as Event['world'][]).map(
    (world) => [worlds[world], allEvents.filter((event) => event.world === world)],
  );
  groups.push(['Notices: facts that nobody can answer', allNotices]);
  return groups
    .filter(([, of]) => of.length > 0)
    .map(
      ([title, of]) =>
        `${c.bold(title)}\n${table(
          of.map(({ name, doc }): Row => [name, doc]),
          '  ',
        )}`,
    )
    .join('\n');
}

function eventPage(event: Event, c: Colors): string {
  const fields = fieldRows(event.fields).map(([field = '', type = '', optional]) => {
    const pinned = event.fields[field]?.rewritable === true ? 'may be rewritten' : 'pinned';
    return [`${field}${optional}`, type, pinned];
  });
  const notes = [
    event.open ? 'Fields beside these travel along and may be rewritten.' : '',
    event.stream ? 'It streams: a hook may be an async generator.' : '',
    event.observe ? 'Hooks only observe it: what they return changes nothing.' : '',
    event.refusal === undefined ? '' : `A hook that fails closed refuses with ${JSON.stringify(event.refusal('…'))}.`,
    event.budgetMs === 0 ? '' : `A hook has ${event.budgetMs} ms of its own time.`,
  ].filter((note) => note !== '');
  return [
    `${c.bold(event.name)}  ${event.doc}\n`,
    event.place === undefined ? '' : `${event.place}\n`,
    fields.length === 0 ? '' : `\n${c.bold('Fields')}\n${table(fields, '  ')}`,
    event.observe ? '' : `\n${c.bold('Result')}\n  ${alternatives(event.result.text())}\n`,
    event.chunk === undefined ? '' : `\n${c.bold('Chunks')}\n  ${alternatives(event.chunk.text())}\n`,
    `\n${notes.map((note) => `${note}\n`).join('')}`,
  ].join('');
}

function noticePage(notice: Notice, c: Colors): string {
  const rows = fieldRows(notice.fields).map(([field, type = '', optional]) => [`${field}${optional}`, type]);
  const fields = rows.length === 0 ? '' : `\n${c.bold('Data')}\n${table(rows, '  ')}`;
  return `${c.bold(notice.name)}  ${notice.doc}\n${fields}\nA notice: it is told to observers, and nobody can answer it.\n`;
}

/** Of several shapes each has its own line. */
const alternatives = (text: string): string => text.replaceAll('} | {', '}\n  | {');

const fieldRows = (fields: Event['fields']): [field: string, type: string, optional: string][] =>
  Object.entries(fields).map(([field, shape]) => [field, shape.text(), shape.optional === true ? '?' : '']);

const eventJson = (event: Event) => ({
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

const noticeJson = (notice: Notice) => ({ name: notice.name, doc: notice.doc, data: notice.schema() });

/** The names that a mistyped one may have meant: the same noun, or the same verb. */
function near(name: string, names: readonly string[]): { expected?: string } {
  const [noun, verb] = name.toLowerCase().split('.');
  const alike = names.filter((known) => {
    const [itsNoun, itsVerb] = known.split('.');
    return itsNoun === noun || (verb !== undefined && itsVerb === verb) || known.includes(name.toLowerCase());
  });
  return alike.length === 0 ? {} : { expected: alike.slice(0, 8).join(', ') };
}
