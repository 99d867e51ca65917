import { events } from '@trotline/engine';
import { suggest } from '../../config/index.ts';
import type { LineProblem } from '../../host/index.ts';
import { clean } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

/** What to do, with the name that was probably meant where a hook names an event that does not exist. */
function remedyOf({ code, message, remedy = '' }: LineProblem): string {
  const [, name] = code === 'engine.no-event' ? (/"([^"]{1,100})" is not an event/.exec(message) ?? []) : [];
  const near = name === undefined ? undefined : suggest(name, Object.keys(events));
  return near === undefined ? remedy : `Did you mean ${near}? All names: trotline events`;
}

/** A problem as two lines: what and where, and what to do. `message` says the place already. */
export function problemText(problem: LineProblem, c: Colors): string {
  const { severity, message, code } = problem;
  const remedy = remedyOf(problem);
  const head = severity === 'error' ? c.red('error') : severity === 'warning' ? c.yellow('warning') : c.dim('notice');
  const first = `${head} ${clean(message)} ${c.dim(`[${code}]`)}\n`;
  return remedy === '' ? first : `${first}  ${clean(remedy)}\n`;
}
