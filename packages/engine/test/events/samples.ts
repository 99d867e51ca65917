type Schema = Readonly<Record<string, unknown>>;

/** Some data that fits a schema; another one where `other` is set. */
export function sample(schema: Schema, other = false): unknown {
  const options = schema['enum'] as readonly unknown[] | undefined;
  if (options !== undefined) return other && options.length > 1 ? options[1] : options[0];
  const any = schema['anyOf'] as readonly Schema[] | undefined;
  if (any !== undefined) return sample(any[0] as Schema, other);
  if (schema['not'] !== undefined) return undefined;
  switch (schema['type']) {
    case 'string':
      return other ? 'other' : 'some';
    case 'number':
      return other ? 2 : 1;
    case 'boolean':
      return !other;
    case 'array':
      return other ? [] : [sample(schema['items'] as Schema)];
    case 'object':
      return object(schema, other);
    default:
      return other ? 'other data' : 'data';
  }
}

function object(schema: Schema, other: boolean): Readonly<Record<string, unknown>> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const entries = required.map((key) => [key, sample(properties[key] as Schema, other)]);
  const rest = schema['additionalProperties'] as Schema | undefined;
  const more = required.length === 0 && other ? { more: rest === undefined ? 1 : sample(rest) } : {};
  return { ...Object.fromEntries(entries), ...more };
}
