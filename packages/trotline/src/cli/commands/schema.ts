import { jsonSchemaText } from '../../config/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';

/** `trotline schema` */
export async function schema({ io, json }: Context): Promise<number> {
  const text = jsonSchemaText();
  io.out(json ? `${JSON.stringify(JSON.parse(text))}\n` : text);
  return exit.done;
}
