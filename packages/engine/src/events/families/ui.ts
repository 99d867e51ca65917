import { defineEvent } from '../define.ts';
import { t } from '../shape.ts';
import { kindOrigin, surface } from './parts.ts';

const site = { component: t.string, requestId: t.string };
const drawn = { surface, ...site, element: t.string };
const act = { plugin: t.string, ...drawn };
const empty = t.object({});

const render = defineEvent({
  name: 'ui.render',
  doc: 'A site of the screen is drawn: the result is an element tree.',
  fields: { surface, ...site, viewport: t.optional(t.json), props: t.write(t.data) },
  result: t.some,
});
const resolve = defineEvent({
  name: 'ui.resolve',
  doc: 'The table of element constructors of a surface, asked when a module loads.',
  fields: { surface, component: t.optional(t.string) },
  result: t.some,
  observe: true,
});
const press = defineEvent({
  name: 'ui.press',
  doc: 'A person pressed a button or a link.',
  fields: { ...act, link: t.optional(t.object({ href: t.string })) },
  result: t.object({ element: t.string }),
  neutral: ({ element }) => ({ element }),
});
const input = defineEvent({
  name: 'ui.input',
  doc: 'A person typed into an input.',
  fields: { ...act, kind: t.oneOf('change', 'submit'), value: t.write(t.string) },
  result: t.object({ element: t.string, value: t.string }),
  neutral: ({ element, value }) => ({ element, value }),
});
const select = defineEvent({
  name: 'ui.select',
  doc: 'A person chose in a list.',
  fields: { ...act, value: t.write(t.string) },
  result: t.object({ element: t.string, value: t.string }),
  neutral: ({ element, value }) => ({ element, value }),
});
const message = defineEvent({
  name: 'ui.message',
  doc: 'A surface module posted data to the mod that drew it.',
  fields: { ...drawn, module: t.string, data: t.json },
  result: t.object({ props: t.optional(t.data) }),
  neutral: () => ({}),
});
const fault = defineEvent({
  name: 'ui.fault',
  doc: 'A surface module failed.',
  fields: { ...drawn, module: t.string, phase: t.oneOf('load', 'render', 'run'), reason: t.string },
  result: empty,
  observe: true,
  neutral: () => ({}),
});
const scroll = defineEvent({
  name: 'ui.scroll',
  doc: 'A pane is about to scroll.',
  fields: {
    ...site,
    component: t.oneOf('Pane', 'AbovePrompt'),
    offset: t.write(t.number),
    by: t.number,
    bodyRows: t.number,
    contentRows: t.number,
    origin: kindOrigin,
    pointer: t.optional(t.json),
  },
  result: t.object({ deny: t.optional(t.string) }),
  refusal: (reason) => ({ deny: reason }),
  neutral: () => ({}),
});
const focus = defineEvent({
  name: 'ui.focus',
  doc: 'The focus is about to move.',
  fields: {
    ...site,
    plugin: t.optional(t.string),
    element: t.write(t.optional(t.string)),
    origin: kindOrigin,
  },
  result: t.object({ deny: t.optional(t.string) }),
  refusal: (reason) => ({ deny: reason }),
  neutral: () => ({}),
});

/** Events about the screen. */
export const uiEvents = {
  'ui.render': render,
  'ui.resolve': resolve,
  'ui.press': press,
  'ui.input': input,
  'ui.select': select,
  'ui.message': message,
  'ui.fault': fault,
  'ui.scroll': scroll,
  'ui.focus': focus,
} as const;
