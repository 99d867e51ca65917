import type { Place } from '@trotline/engine';
import type { ReadContext } from './content.ts';
import { shown } from './document.ts';
import { observeAll, picoclawEventAliases, picoclawEventKinds, picoclawHookPoints } from './eventNames.ts';
import type { Finding } from './problem.ts';
import type { HooksFile } from './schema.ts';
import { suggest } from './suggest.ts';

type ProcessFile = NonNullable<HooksFile['processes']>[string];

const eventNames: ReadonlySet<string> = new Set([...picoclawEventKinds, ...Object.keys(picoclawEventAliases)]);
const hookPoints: ReadonlySet<string> = new Set(picoclawHookPoints);

/**
 * Checks what a process hook listens to. PicoClaw ignores an empty hook point and stops checking at the name that selects every
 * event; those are accepted here too, but not silently.
 */
export function checkModes(
  context: ReadContext,
  name: string,
  file: ProcessFile,
  enabled: boolean,
  place: Place,
): void {
  const { document, report } = context;
  const observe = file.observe ?? [];
  const intercept = file.intercept ?? [];
  const everything = observe.findIndex((event) => observeAll.includes(event));
  observe.forEach((event, index) => {
    const at = document.place(observe, index);
    if (event === '')
      report.warning('config.event-name-unchecked', at, {
        what: 'An empty event name selects every event',
        remedy: 'Write "*" if that is meant, or remove it.',
      });
    if (observeAll.includes(event) || eventNames.has(event)) return;
    const counts = enabled && (everything < 0 || index < everything);
    (counts ? report.error : report.warning)(
      counts ? 'config.event-name' : 'config.event-name-unchecked',
      at,
      unknownEvent(event),
    );
  });
  intercept.forEach((point, index) => {
    if (hookPoints.has(point)) return;
    const at = document.place(intercept, index);
    if (point === '') report.warning('config.event-name-unchecked', at, { what: 'An empty hook point has no effect' });
    else
      (enabled ? report.error : report.warning)(
        enabled ? 'config.event-name' : 'config.event-name-unchecked',
        at,
        unknownPoint(point),
      );
  });
  if (!enabled) return;
  const faulty = document.dropped(file, 'observe') || document.dropped(file, 'intercept');
  const acts = faulty || intercept.some((point) => point !== '');
  if (!acts && observe.length === 0)
    report.error('config.listens-to-nothing', place, {
      what: `The hook "${shown(name)}" neither observes nor intercepts anything`,
    });
  else if (!acts && (file.on_error === 'deny' || file.on_error === 'closed' || file.on_error === 'ask'))
    report.error('config.nothing-to-refuse', document.place(file, 'on_error'), {
      what: `The hook "${shown(name)}" only observes, so that its failure can refuse nothing`,
    });
}

function unknownEvent(event: string): Finding {
  const what = `The event "${shown(event)}" does not exist`;
  if (hookPoints.has(event)) return { what, remedy: `"${event}" is a hook point: move it to "intercept".` };
  if (/[*?]/.test(event))
    return {
      what,
      expected: 'whole names, or "*" for every event',
      remedy: 'List the events one by one, or write "*".',
    };
  const near = suggest(event, eventNames);
  return {
    what,
    expected: 'the name of an event',
    ...(near === undefined ? {} : { remedy: `Did you mean "${near}"?` }),
  };
}

function unknownPoint(point: string): Finding {
  const what = `The hook point "${shown(point)}" does not exist`;
  const expected = picoclawHookPoints.join(', ');
  if (eventNames.has(point)) return { what, expected, remedy: `"${point}" is an event: move it to "observe".` };
  const near = suggest(point, hookPoints);
  return { what, expected, ...(near === undefined ? {} : { remedy: `Did you mean "${near}"?` }) };
}
