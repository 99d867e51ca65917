/** What every hook of the process shares, and no module has a reason to change. */
const SHARED: readonly (readonly [string, object])[] = [
  ['Object', Object],
  ['Object.prototype', Object.prototype],
  ['Function.prototype', Function.prototype],
  ['Array.prototype', Array.prototype],
  ['String.prototype', String.prototype],
  ['RegExp.prototype', RegExp.prototype],
  ['Promise', Promise],
  ['Promise.prototype', Promise.prototype],
  ['Map.prototype', Map.prototype],
  ['Set.prototype', Set.prototype],
  ['JSON', JSON],
  ['Reflect', Reflect],
];

type Snapshot = readonly Map<PropertyKey, unknown>[];

/** Takes down the shared built-ins; what it returns names those that have changed since. Reads no getter. */
export function watchBuiltins(): () => string[] {
  const before = snapshot();
  return () => {
    const after = snapshot();
    return SHARED.flatMap(([name], index) => changes(name, before[index] ?? new Map(), after[index] ?? new Map()));
  };
}

const snapshot = (): Snapshot =>
  SHARED.map(([, object]) => {
    const values = new Map<PropertyKey, unknown>();
    for (const key of Reflect.ownKeys(object)) {
      const property = Reflect.getOwnPropertyDescriptor(object, key);
      values.set(key, property?.get ?? property?.value);
    }
    return values;
  });

function changes(name: string, before: Map<PropertyKey, unknown>, after: Map<PropertyKey, unknown>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .filter((key) => before.has(key) !== after.has(key) || before.get(key) !== after.get(key))
    .map((key) => `${name}.${String(key)}`);
}
