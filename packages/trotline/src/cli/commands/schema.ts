import { readFileSync } from 'node:fs';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';

/** `trotline schema`: the published file, so that what is printed is what an editor reads. */
export async function schema({ io, json }: Context): Promise<number> {
  const text = readFileSync(new URL('../../../schema/trotline.schema.json', import.meta.url), 'utf8');
  io.out(json ? `${JSON.stringify(JSON.parse(text))}\n` : text);
  return exit.done;
}
