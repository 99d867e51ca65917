import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The JSON Schema of `trotline.json`, as published in `schema/trotline.schema.json`, for editors. */
export function jsonSchemaText(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
  const { $schema, ...rest } = schema;
  const whole = { $schema, title: 'trotline.json', allowComments: true, ...rest };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
