/** Known to every copy of this package: a host may have loaded one and a hook another. */
const brand = Symbol.for('trotline.control');

/** Control travels past every link up to the host: it is not a failure. */
export class Control extends Error {
  /** The hook that asked for it. */
  readonly hook: string;
  readonly reason: string;
  readonly [brand] = true;

  constructor(hook: string, reason: string) {
    super(`${hook}: ${reason}`);
    this.hook = hook;
    this.reason = reason;
  }
}

/** Ends the turn with status error; history is kept. */
export class AbortTurn extends Control {
  override readonly name = 'AbortTurn';
}

/** Ends the agent's loop; history goes back to before the turn. */
export class HardAbort extends Control {
  override readonly name = 'HardAbort';
}

/** Is it control, of this copy of the package or another? Tell which by its `name`. What was thrown may throw when it is looked at. */
export function isControl(error: unknown): error is Control {
  try {
    return typeof error === 'object' && error !== null && brand in error;
  } catch {
    return false;
  }
}

/** A `HardAbort`, also of another copy of this package. */
export function isHardAbort(error: unknown): error is HardAbort {
  return isControl(error) && error.name === 'HardAbort';
}
