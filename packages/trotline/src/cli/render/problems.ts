import type { LineProblem } from '../../host/index.ts';
import { clean } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';

/** A problem as two lines: what and where, and what to do. `message` says the place already. */
export function problemText({ severity, message, code, remedy }: LineProblem, c: Colors): string {
  const head = severity === 'error' ? c.red('error') : severity === 'warning' ? c.yellow('warning') : c.dim('notice');
  const first = `${head} ${clean(message)} ${c.dim(`[${code}]`)}\n`;
  return remedy === undefined || remedy === '' ? first : `${first}  ${clean(remedy)}\n`;
}
