import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { deny, kindOrigin, origin, texts } from './parts.ts';

const exitCode = {
  ...t.number,
  misfit: (value: unknown, path: string) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255
      ? undefined
      : `${path} is not a whole number from 0 to 255`,
};

const run = defineEvent({
  name: 'command.run',
  doc: 'A command is about to run.',
  fields: {
    command: t.string,
    args: t.write(t.string),
    origin: kindOrigin,
    presentation: t.object({ isFullscreen: t.boolean, columns: t.number }),
  },
  result: t.object({
    text: t.optional(t.string),
    context: t.optional(texts),
    exitCode: t.optional(exitCode),
    ref: t.optional(t.string),
  }),
});

const describe = defineEvent({
  name: 'command.describe',
  doc: 'A command is listed, once until invalidated.',
  fields: {
    command: t.string,
    description: t.write(t.string),
    argumentHint: t.write(t.optional(t.string)),
    isHidden: t.write(t.boolean),
    immediate: t.optional(t.boolean),
    provider: origin,
  },
  result: t.object({ description: t.string, argumentHint: t.optional(t.string), isHidden: t.boolean }),
  neutral: ({ description, argumentHint, isHidden }) => ({ description, argumentHint, isHidden }),
});

const setting = t.union(t.boolean, t.string, t.number, t.list(t.string));

const set = defineEvent({
  name: 'config.set',
  doc: 'A row of the configuration is about to change.',
  fields: {
    key: t.string,
    value: t.write(setting),
    previous: t.optional(t.json),
    provider: t.optional(origin),
    origin: t.optional(kindOrigin),
  },
  result: t.either(t.object({ value: setting }), deny),
  refusal: (reason) => ({ deny: reason }),
});

const row = defineEvent({
  name: 'config.describe',
  doc: 'A row of the configuration is listed.',
  fields: {
    key: t.string,
    label: t.write(t.string),
    description: t.write(t.optional(t.string)),
    isHidden: t.write(t.boolean),
    provider: origin,
  },
  result: t.object({ label: t.string, description: t.optional(t.string), isHidden: t.boolean }),
  neutral: ({ label, description, isHidden }) => ({ label, description, isHidden }),
});

/** Events about commands and the configuration. */
export const commandEvents = {
  'command.run': run,
  'command.describe': describe,
  'config.set': set,
  'config.describe': row,
} as const;
