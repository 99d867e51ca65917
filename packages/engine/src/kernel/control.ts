/** Control travels past every link up to the host: it is not a failure. */
export class Control extends Error {
  /** The hook that asked for it. */
  readonly hook: string;
  readonly reason: string;

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
