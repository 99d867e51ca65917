import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { deny } from './parts.ts';

const register = defineEvent({
  name: 'plugin.register',
  doc: 'A hooks module is about to join, judged by those already admitted.',
  place: 'Before any hook of the module.',
  fields: {
    name: t.string,
    tier: t.oneOf('prepend', 'user', 'append', 'builtin', 'core'),
    root: t.string,
    version: t.optional(t.string),
    provenance: t.json,
    uses: t.json,
  },
  result: t.either(t.object({ allow: t.oneOf(true) }), t.object({ refuse: t.string })),
  refusal: (reason) => ({ refuse: reason }),
  neutral: () => ({ allow: true as const }),
});

const create = defineEvent({
  name: 'engine.create',
  doc: 'The interface `$` is built: a hook may add nouns.',
  place: 'Before any other hook of a module, at load and reload.',
  fields: { plugins: t.list(t.string) },
  result: t.data,
  budgetMs: 0,
  neutral: () => ({}),
});

const to = t.oneOf('anthropic', 'collector');
const sent = t.either(t.object({ value: t.nothing }), deny);

const log = defineEvent({
  name: 'telemetry.log',
  doc: 'A record is about to be logged for telemetry.',
  fields: {
    to,
    event: t.write(t.string),
    props: t.write(t.optional(t.json)),
    attributes: t.write(t.optional(t.json)),
    loggedAt: t.write(t.optional(t.json)),
    span: t.write(t.optional(t.json)),
  },
  result: sent,
  refusal: (reason) => ({ deny: reason }),
  neutral: () => ({ value: undefined }),
});

const mark = defineEvent({
  name: 'telemetry.mark',
  doc: 'The use of a feature is about to be marked.',
  fields: {
    to,
    feature: t.write(t.string),
    kind: t.write(t.oneOf('ok', 'sad', 'bad')),
    reason: t.write(t.optional(t.string)),
    props: t.write(t.optional(t.json)),
  },
  result: sent,
  refusal: (reason) => ({ deny: reason }),
  neutral: () => ({ value: undefined }),
});

/** Events about modules and telemetry. */
export const pluginEvents = {
  'plugin.register': register,
  'engine.create': create,
  'telemetry.log': log,
  'telemetry.mark': mark,
} as const;
