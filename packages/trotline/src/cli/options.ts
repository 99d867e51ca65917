import { TrotlineError } from '@trotline/engine';

/** The value of an option that counts something. Throws `cli.usage`. */
export function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d{1,6}$/.test(text) && count > 0) return count;
  throw new TrotlineError('cli.usage', { what: `${flag} is "${text}"`, expected: 'a whole number from 1 on' });
}
