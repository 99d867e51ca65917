import { afterEach } from 'vitest';
import { makePlace, type Place } from '../../cli/harness.ts';

const made: Place[] = [];

/** A folder and a home for one test, gone after it. */
export function place(files: Readonly<Record<string, string>> = {}): Place {
  const here = makePlace(files);
  made.push(here);
  return here;
}

afterEach(() => {
  for (const here of made.splice(0)) here.remove();
});
