import type { Engine, EventName } from '@trotline/engine';

type Data = Readonly<Record<string, unknown>>;

/** Raises an event whose bottom is this agent's own doing. Rejects with control, and with what the bottom throws. */
export function raise(
  engine: Engine,
  event: string,
  e: Data,
  bottom: (e: Data) => unknown,
  signal?: AbortSignal,
): Promise<Data> {
  return engine.raise(event as EventName, e as never, {
    bottom: bottom as never,
    ...(signal === undefined ? {} : { signal }),
  }) as Promise<Data>;
}
