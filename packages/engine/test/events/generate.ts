import type { EventDef } from '../../src/index.ts';
import { codes, events, notices, ops, tools } from '../../src/index.ts';

const all = events as unknown as Readonly<Record<string, EventDef>>;
const opNames = new Set<string>(Object.keys(ops));

/** A family: the first segment of its names. */
export const familyOf = (name: string): string =>
  opNames.has(name) ? `op-${name.slice(0, name.indexOf('.'))}` : name.slice(0, name.indexOf('.'));

/** What the compiler must find of every event of a family. */
export function typeTests(family: string): string {
  const tests = Object.values(all)
    .filter(({ name }) => familyOf(name) === family)
    .map((event) => {
      const fields = typeOfFields(event.fields);
      const e = event.open ? `${fields} & { readonly [argument: string]: unknown }` : fields;
      return [
        `test('${event.name}', () => {`,
        `  expectTypeOf<EventMap['${event.name}']['e']>().branded.toEqualTypeOf<${e}>();`,
        `  expectTypeOf<EventMap['${event.name}']['result']>().branded.toEqualTypeOf<${event.result.text()}>();`,
        '});',
      ].join('\n');
    });
  return [
    '// biome-ignore-all format: generated',
    '// biome-ignore-all lint/complexity/noBannedTypes: an event may have no fields',
    '// Written by generate.ts; the compiler is what checks it. `npx vitest run packages/engine/test/events -u` writes it anew.',
    "import { expectTypeOf, test } from 'vitest';",
    "import type { EventMap } from '../../../src/index.ts';",
    '',
    ...tests,
    '',
  ].join('\n');
}

function typeOfFields(fields: EventDef['fields']): string {
  const members = Object.entries(fields).map(([key, shape]) => {
    const type = shape.text();
    const optional = shape.optional === true;
    return `readonly ${key}${optional ? '?' : ''}: ${type}${optional && type !== 'unknown' ? ' | undefined' : ''}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

/** A type as people read it. */
const plain = (text: string): string =>
  text.replaceAll('readonly ', '').replaceAll(' | undefined', '').replaceAll('; ', ', ');
const code = (text: string): string => `\`${plain(text)}\``.replaceAll('|', '\\|');
const head = (title: string, text: string): string[] => [
  `# ${title}`,
  '',
  '<!-- Generated from the source. `npx vitest run packages/engine/test/events -u` writes it anew. -->',
  '',
  text,
  '',
];

function fieldRows(event: EventDef): string[] {
  const entries = Object.entries(event.fields);
  if (entries.length === 0 && !event.open) return ['No fields.', ''];
  return [
    '| Field | Type | |',
    '|---|---|---|',
    ...entries.map(
      ([key, shape]) =>
        `| \`${key}\`${shape.optional === true ? '?' : ''} | ${code(shape.text())} | ${shape.rewritable === true ? 'may be rewritten' : ''} |`,
    ),
    ...(event.open ? ['| any other | `unknown` | may be rewritten |'] : []),
    '',
  ];
}

function eventSection(event: EventDef): string[] {
  const facts = [
    event.stream ? 'streams' : '',
    event.observe ? 'observe only: another return changes nothing' : '',
    event.budgetMs !== 10_000 ? `budget ${event.budgetMs === 0 ? 'none' : `${event.budgetMs} ms`}` : '',
    event.sharedMs === undefined ? '' : `all hooks together ${event.sharedMs} ms`,
    event.world === 'ours' ? 'ours: a mod’s `*` and `!x` never select it' : '',
    event.canRefuse
      ? `refusal ${code(JSON.stringify(event.refusal?.('…')))}`
      : 'no refusal: a hook that must block ends the turn',
  ].filter((fact) => fact !== '');
  return [
    `## \`${event.name}\``,
    '',
    event.doc,
    ...(event.place === undefined ? [] : ['', `*Place:* ${event.place}`]),
    '',
    ...fieldRows(event),
    `Returns ${code(event.result.text())}.`,
    ...(event.chunk === undefined ? [] : ['', `Yields ${code(event.chunk.text())}.`]),
    '',
    `${facts.join('; ')}.`.replace(/^./, (letter) => letter.toUpperCase()),
    '',
  ];
}

const events_ = (): string =>
  [
    ...head(
      'Events',
      'Every event that hooks may stand on. A field that may not be rewritten is pinned: left out, it is put back; changed, the `next` call is refused.',
    ),
    ...Object.values(all)
      .filter(({ name }) => !opNames.has(name))
      .flatMap(eventSection),
  ].join('\n');

const ops_ = (): string =>
  [
    ...head(
      'Ops',
      'The methods of `$`. Each call is a dispatch of the event of that name: a hook on it returns `{ value }`, `{ deny }` or `next(e)`. A deny rejects the call with `<owner>: $.<noun.method>: <reason>`; an op that the host cannot serve rejects with `engine.no-op`.',
    ),
    '| Op | Does | Event | Value | Changes something |',
    '|---|---|---|---|---|',
    ...Object.values(ops).map((op) => {
      const fields = Object.entries(op.fields)
        .map(([k, s]) => `${k}${s.optional === true ? '?' : ''}`)
        .join(', ');
      const value = op.result.text().match(/^\{ readonly value: (.*) \} \| \{ readonly deny: string \}$/)?.[1] ?? '';
      return `| \`$.${op.name}\` | ${op.doc} | ${fields === '' ? '' : `\`${fields}\``} | ${code(value)} | ${op.changes ? 'yes' : ''} |`;
    }),
    '',
  ].join('\n');

const notices_ = (): string =>
  [
    ...head('Notices', 'Facts that observers are told of. Nobody can answer them.'),
    '| Notice | Says | Data |',
    '|---|---|---|',
    ...Object.values(notices).map(({ name, doc, fields }) => {
      const data = Object.entries(fields)
        .map(([k, s]) => `${k}${s.optional === true ? '?' : ''}`)
        .join(', ');
      return `| \`${name}\` | ${doc} | ${data === '' ? '' : `\`${data}\``} |`;
    }),
    '',
  ].join('\n');

const tools_ = (): string =>
  [
    ...head(
      'Tools',
      'Canonical names and arguments, and how each world spells them. The first spelling that fits is used; a call that a world cannot spell whole passes under its canonical name, with the trace code `engine.no-spelling`.',
    ),
    ...Object.entries(tools).flatMap(([name, tool]) => [
      `## \`${name}\``,
      '',
      tool.doc,
      '',
      '| World | Tool | Arguments |',
      '|---|---|---|',
      `| canonical | \`${name}\` | ${code(typeOfFields(tool.input))} |`,
      ...Object.entries(tool.worlds).flatMap(([world, spellings]) =>
        (spellings ?? []).map((spelling) => {
          const args = Object.entries(spelling.args).map(
            ([from, to]) => `\`${from}\` → \`${typeof to === 'string' ? to : to.as}\``,
          );
          const fixed = Object.entries(spelling.fixed ?? {}).map(
            ([key, value]) => `always \`${key}: ${JSON.stringify(value)}\``,
          );
          const given = Object.entries(spelling.given ?? {}).map(
            ([key, value]) => `only if \`${key}\` is ${JSON.stringify(value)}`,
          );
          return `| ${world} | \`${spelling.tool}\` | ${[...args, ...fixed, ...given].join(', ')} |`;
        }),
      ),
      '',
    ]),
  ].join('\n');

const codes_ = (): string =>
  [
    ...head('Codes', 'Every error has a code, and so has every trace entry that is not plain.'),
    '| Code | Kind | Means | What to do |',
    '|---|---|---|---|',
    ...Object.entries(codes).map(
      ([name, { kind, doc, remedy }]) =>
        `| \`${name}\` | ${kind} | ${doc.replaceAll('|', '\\|')} | ${remedy.replaceAll('|', '\\|')} |`,
    ),
    '',
  ].join('\n');

/** The reference pages, by file name. */
export const pages: Readonly<Record<string, () => string>> = {
  'events.md': events_,
  'ops.md': ops_,
  'notices.md': notices_,
  'tools.md': tools_,
  'codes.md': codes_,
};
