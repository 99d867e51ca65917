const held = new WeakSet<object>();

/**
 * Marks a refusal or verdict that no hook of tier `user` or inside it may loosen: one of the managed layer, of a rule, or
 * of a hook that failed and had to block. The mark is on the object itself, so it must be one that is passed on as it is.
 */
export function markHeld<T extends object>(result: T): T {
  held.add(result);
  return result;
}

export const isHeld = (result: unknown): boolean => result !== null && typeof result === 'object' && held.has(result);
