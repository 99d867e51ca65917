import { defineEvent } from '../define.ts';
import { keptContext } from '../reconcile.ts';
import { t } from '../shape.ts';
import { agentId, deny, kindOrigin, texts } from './parts.ts';

const submit = defineEvent({
  name: 'prompt.submit',
  doc: 'A prompt is about to enter the session.',
  place: 'First of all about a prompt. `turn.start` is raised inside its `next`.',
  fields: {
    text: t.write(t.string),
    context: t.write(t.optional(texts)),
    attachments: t.optional(
      t.list(
        t.object({
          type: t.oneOf('image', 'audio', 'document'),
          mediaType: t.optional(t.string),
          filename: t.optional(t.string),
        }),
      ),
    ),
    turnId: t.optional(t.string),
    wait: t.boolean,
    origin: kindOrigin,
  },
  result: t.either(
    t.object({ text: t.string, context: t.optional(texts), origin: t.optional(kindOrigin) }),
    t.object({ drop: t.string }),
  ),
  refusal: (reason) => ({ drop: reason }),
  subject: 'the prompt',
  reconcile: (own, beneath) =>
    'drop' in own && beneath !== undefined && !('drop' in beneath)
      ? { value: own, misfit: 'a drop after its next() was answered' }
      : { value: own },
  neutral: ({ text, context }) => ({ text, ...(context === undefined ? {} : { context }) }),
});

const fill = defineEvent({
  name: 'prompt.fill',
  doc: 'A draft is about to be written to the prompt box.',
  fields: {
    text: t.write(t.string),
    mode: t.write(t.oneOf('replace', 'append', 'insert')),
    decorations: t.write(t.optional(t.json)),
    origin: kindOrigin,
  },
  result: t.object({ isFilled: t.boolean, refusal: t.optional(t.oneOf('no_composer', 'dialog')) }),
  neutral: () => ({ isFilled: false, refusal: 'no_composer' as const }),
});

const suggest = defineEvent({
  name: 'prompt.suggest',
  doc: 'A dim suggestion is about to show in the prompt box.',
  fields: { text: t.write(t.string), origin: kindOrigin },
  result: t.object({ isShown: t.boolean }),
  neutral: () => ({ isShown: false }),
});

const edit = defineEvent({
  name: 'prompt.edit',
  doc: 'An edit in the prompt box.',
  fields: {
    origin: kindOrigin,
    key: t.optional(
      t.object({
        key: t.string,
        ctrl: t.optional(t.boolean),
        shift: t.optional(t.boolean),
        meta: t.optional(t.boolean),
      }),
    ),
    text: t.string,
    cursor: t.number,
    start: t.number,
    end: t.number,
    inputText: t.string,
  },
  result: t.object({ text: t.string, cursor: t.number, decorations: t.optional(t.list(t.json)) }),
  budgetMs: 50,
  neutral: ({ text, cursor }) => ({ text, cursor }),
});

const autocomplete = defineEvent({
  name: 'prompt.autocomplete',
  doc: 'Suggestions while typing; never waited for.',
  fields: { text: t.string, cursor: t.number, token: t.string, start: t.number },
  result: t.object({
    suggestions: t.list(t.object({ text: t.string, label: t.optional(t.string), description: t.optional(t.string) })),
  }),
  neutral: () => ({ suggestions: [] }),
});

const section = defineEvent({
  name: 'prompt.section',
  doc: 'One named section of the system prompt, once until invalidated; null leaves it out.',
  place: 'Before the first `turn.step`.',
  fields: { name: t.string, text: t.write(t.nullable(t.string)) },
  result: t.object({ text: t.nullable(t.string) }),
  neutral: ({ text }) => ({ text }),
});

const blocks = t.list(t.object({ name: t.string, text: t.string }));
const instructionFiles = t.list(
  t.object({
    path: t.string,
    kind: t.oneOf('managed', 'user', 'project', 'local', 'memory'),
    content: t.string,
    parent: t.optional(t.string),
  }),
);

const context = defineEvent({
  name: 'prompt.context',
  doc: 'Context sent with the first message, once per conversation; a block left out is not sent.',
  place: 'Before the first `turn.step`.',
  fields: { blocks: t.write(blocks), instructionFiles: t.write(t.optional(instructionFiles)) },
  result: t.object({ blocks, instructionFiles: t.optional(instructionFiles) }),
  neutral: (e) => e,
});

const sections = t.list(t.object({ id: t.string, text: t.string, scope: t.oneOf('shared', 'session') }));

/** Every `shared` section stands before every `session` one; ids are unique and not empty. */
function composed(result: { readonly sections: readonly { readonly id: string; readonly scope: string }[] }) {
  const seen = new Set<string>();
  let session = false;
  for (const { id, scope } of result.sections) {
    if (id === '') return 'sections holds an empty id';
    if (seen.has(id)) return `sections holds ${id} twice`;
    seen.add(id);
    if (scope === 'session') session = true;
    else if (session) return `sections holds shared ${id} after a session section`;
  }
  return undefined;
}

const composeResult = t.object({ sections });

const compose = defineEvent({
  name: 'prompt.compose',
  doc: 'A system prompt is rendered from its sections.',
  place: 'Before the first `turn.step`, after `prompt.section`.',
  fields: {
    model: t.string,
    promptModel: t.write(t.string),
    surfaces: t.write(t.list(t.string)),
    tools: t.write(t.list(t.string)),
    outputStyle: t.write(t.nullable(t.object({ name: t.string, isKeepingCodingInstructions: t.boolean }))),
    traits: t.write(t.list(t.string)),
  },
  result: {
    ...composeResult,
    misfit: (value: unknown, path: string) =>
      composeResult.misfit(value, path) ?? composed(value as Parameters<typeof composed>[0]),
  },
  neutral: () => ({ sections: [] }),
});

const attachment = defineEvent({
  name: 'prompt.attachment',
  doc: 'The host adds a message of its own, such as a reminder; null leaves it out.',
  fields: {
    type: t.string,
    text: t.write(t.string),
    origin: t.json,
    agentId,
    detail: t.optional(t.json),
  },
  result: t.object({ text: t.nullable(t.string) }),
  neutral: ({ text }) => ({ text }),
});

const mention = defineEvent({
  name: 'prompt.mention',
  doc: 'A file that a prompt mentions is about to be read.',
  place: 'Inside `prompt.submit`.',
  fields: {
    mention: t.string,
    path: t.write(t.string),
    offset: t.write(t.optional(t.number)),
    limit: t.write(t.optional(t.number)),
    agentId,
  },
  result: t.either(
    t.object({
      type: t.oneOf('file', 'already_read_file', 'pdf_reference', null),
      context: t.optional(texts),
    }),
    deny,
  ),
  refusal: (reason) => ({ deny: reason }),
  neutral: () => ({ type: null }),
  reconcile: (own, beneath) => {
    if ('deny' in own) return { value: own };
    const under = beneath !== undefined && !('deny' in beneath) ? beneath.context : undefined;
    const context = keptContext(own.context ?? [], under ?? []);
    return context === undefined ? { value: own } : { value: { ...own, context }, code: 'engine.context-kept' };
  },
});

const skill = defineEvent({
  name: 'skill.prompt',
  doc: 'The text of a skill is expanded.',
  fields: { skill: t.string, text: t.write(t.string) },
  result: t.object({ text: t.string }),
  neutral: ({ text }) => ({ text }),
});

const attribution = defineEvent({
  name: 'attribution.text',
  doc: 'The attribution in a commit or a pull request.',
  fields: { kind: t.oneOf('commit', 'pr', 'exemption', 'remedy'), text: t.write(t.string) },
  result: t.object({ text: t.string }),
  neutral: ({ text }) => ({ text }),
});

/** Events about prompts and what the model reads. */
export const promptEvents = {
  'prompt.submit': submit,
  'prompt.fill': fill,
  'prompt.suggest': suggest,
  'prompt.edit': edit,
  'prompt.autocomplete': autocomplete,
  'prompt.section': section,
  'prompt.context': context,
  'prompt.compose': compose,
  'prompt.attachment': attachment,
  'prompt.mention': mention,
  'skill.prompt': skill,
  'attribution.text': attribution,
} as const;
