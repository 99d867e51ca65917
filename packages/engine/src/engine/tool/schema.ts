type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 64;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

const fitsType = (type: unknown, actual: string): boolean =>
  type === actual || (type === 'number' && actual === 'integer');

const isSchema = (value: unknown): value is Schema =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Why a value does not fit a JSON Schema, or undefined. The subset that tools use: `type`, `properties`, `required`,
 * `enum`, `const`, `items` and `additionalProperties`. Other keywords say nothing here; the tool checks them itself.
 */
export function schemaMisfit(schema: unknown, value: unknown, path = 'input', depth = 0): string | undefined {
  if (schema === false) return `${path} is not allowed`;
  if (!isSchema(schema) || depth > MAX_DEPTH) return undefined;
  const actual = typeOf(value);
  const { type } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some((one) => fitsType(one, actual))) {
    return `${path} is ${actual}, not ${Array.isArray(type) ? type.join(' or ') : String(type)}`;
  }
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => same(one, value))) {
    return `${path} is none of ${schema['enum'].map((one) => JSON.stringify(one)).join(', ')}`;
  }
  if (Object.hasOwn(schema, 'const') && !same(schema['const'], value)) {
    return `${path} is not ${JSON.stringify(schema['const'])}`;
  }
  if (actual === 'object') return objectMisfit(schema, value as Schema, path, depth);
  if (actual === 'array') return listMisfit(schema['items'], value as readonly unknown[], path, depth);
  return undefined;
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function objectMisfit(schema: Schema, value: Schema, path: string, depth: number): string | undefined {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  for (const key of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (!Object.hasOwn(value, String(key)) || value[String(key)] === undefined) return `${path} has no ${String(key)}`;
  }
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const own = Object.hasOwn(properties, key);
    const rule = own ? properties[key] : schema['additionalProperties'];
    if (!own && rule === false) return `${path} has an unknown ${key}`;
    const problem = schemaMisfit(rule, value[key], `${path}.${key}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listMisfit(items: unknown, value: readonly unknown[], path: string, depth: number): string | undefined {
  if (!isSchema(items) && items !== false) return undefined;
  for (let at = 0; at < value.length; at++) {
    const problem = schemaMisfit(items, value[at], `${path}[${at}]`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
