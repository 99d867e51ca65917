const ours = new WeakSet<object>();

/** Copies plain data and freezes the copy in the same walk. What was frozen here before is shared, not walked again. */
export function freezeCopy<T>(value: T): T {
  if (value === null || typeof value !== 'object' || ours.has(value)) return value;
  if (Array.isArray(value)) {
    const copy = value.map(freezeCopy);
    ours.add(Object.freeze(copy));
    return copy as T;
  }
  const proto = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key !== '__proto__') copy[key] = freezeCopy((value as Record<string, unknown>)[key]);
  }
  ours.add(Object.freeze(copy));
  return copy as T;
}
