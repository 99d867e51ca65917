type Schema = Readonly<Record<string, unknown>>;

/** A JSON Schema as a type is written: `{ deny: string } | { result: any, isError?: boolean }`. */
export function schemaText(schema: Schema): string {
  const { anyOf, enum: values, type, items, properties, required } = schema as {
    anyOf?: readonly Schema[];
    enum?: readonly unknown[];
    type?: string;
    items?: Schema;
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  if (anyOf !== undefined) return anyOf.map(schemaText).join(' | ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `${parenthesised(schemaText(items ?? {}))}[]`;
  if (type === 'object') {
    const fields = Object.entries(properties ?? {}).map(
      ([key, field]) => `${key}${required?.includes(key) === true ? '' : '?'}: ${schemaText(field)}`,
    );
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return type ?? 'any';
}

const parenthesised = (text: string): string => (text.includes(' | ') ? `(${text})` : text);
